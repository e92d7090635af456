// What is wrong with a page as it stands in this window, as far as its elements tell: [kind, where and what] for each flaw.
// `rough`: only what depends on the colours. Evaluated in the page by tools/screenshots.py and tests/page/test_layout.py.
(rough) => {
  const found = new Map();
  const wide = document.documentElement.clientWidth, high = innerHeight;
  const flaw = (kind, element, what = "") => {
    const named = element ? `${element.localName}${element.id && !/^:|^[PH]\d/.test(element.id) ? `#${element.id}` : ""}${[...element.classList].slice(0, 2).map((name) => `.${name}`).join("")}` : "";
    found.set(`${kind} ${named} ${what}`, [kind, `${named} ${what}`.trim().slice(0, 160)]);
  };
  const text = (element) => (element.innerText ?? element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 60);
  const styles = new Map();
  const style = (element) => styles.get(element) ?? styles.set(element, getComputedStyle(element)).get(element);
  const hidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || style(element).clipPath !== "none" || element.closest(".unseen, .skip, [aria-hidden=true], [inert]") !== null;
  const top = document.querySelector("dialog[open]") ?? document.body; // a window above the page is looked at alone
  const all = [...top.querySelectorAll("*")].filter((element) => !(element instanceof SVGElement) && !hidden(element));

  // --- colours ---
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  const colour = (css) => {
    if (!colours.has(css)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      colours.set(css, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return colours.get(css);
  };
  const over = (one, other) => [0, 1, 2].map((n) => (one[n] * one[3] + other[n] * (255 - one[3])) / 255).concat(255);
  const light = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, part, n) => { const c = rgb[n] / 255; return sum + part * (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); }, 0);
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      if (style(at).backgroundImage !== "none") return null; // a picture: to be looked at
      const one = colour(style(at).backgroundColor);
      if (one[3]) layers.push(one);
      if (one[3] === 255) break;
    }
    return layers.reverse().reduce((below, one) => over(one, below), [255, 255, 255, 255]);
  };
  const lines = (element) => [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
  for (const element of all) {
    if (!lines(element).length || element.closest(".board, select")) continue;
    const below = ground(element);
    if (!below) continue;
    let faded = 1;
    for (let at = element; at; at = at.parentElement) faded *= Number(style(at).opacity);
    const ink = colour(style(element).color), seen = over([...ink.slice(0, 3), ink[3] * faded], below);
    const [dim, bright] = [light(seen), light(below)].sort((one, other) => one - other), ratio = (bright + 0.05) / (dim + 0.05);
    const size = parseFloat(style(element).fontSize), large = size >= 24 || (size >= 18.6 && Number(style(element).fontWeight) >= 600);
    const enough = large || element.closest(":disabled, [aria-disabled=true]") ? 3 : 4.5; // what cannot be done now steps back, and is still read
    if (ratio < enough) flaw("contrast", element, `${ratio.toFixed(1)} “${text(element)}”`);
  }
  if (rough) return [...found.values()];

  // --- the window ---
  if (document.documentElement.scrollWidth > wide + 1) {
    const far = all.filter((element) => element.getBoundingClientRect().right > wide + 1 && style(element).position !== "fixed");
    flaw("scrolls sideways", far[far.length - 1], `${document.documentElement.scrollWidth} > ${wide}`);
  }
  const scroller = (element) => { for (let at = element; at && at !== document.body; at = at.parentElement) if (/auto|scroll/.test(style(at).overflowX + style(at).overflowY)) return at; return null; };
  const clipped = (element) => { for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) if (/hidden|clip/.test(style(at).overflowX)) return at; return null; };
  for (const element of all.filter((each) => each.matches("button, a, input, select, textarea, summary, [role=tab]"))) {
    const box = (element.matches("input[type=checkbox], input[type=radio]") ? (element.closest("label") ?? element) : element).getBoundingClientRect();
    if (!box.width) continue;
    const inline = element.matches("a") && style(element).display === "inline";
    if (!inline && !element.matches(".messages .who") && (box.width < 24 || box.height < 24)) flaw("small", element, `${Math.round(box.width)}×${Math.round(box.height)} “${text(element) || element.getAttribute("aria-label")}”`);
    if ((box.left < -1 || box.right > wide + 1) && !scroller(element)) flaw("outside", element, `${Math.round(box.left)}…${Math.round(box.right)} “${text(element)}”`);
    if (element.closest("dialog") || scroller(element) || box.top < 0 || box.bottom > high) continue;
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const sheet = document.querySelector(".sheet:not([hidden]), .side:not(.closed)");
    if (at && !element.contains(at) && !at.contains(element) && !at.closest("label")?.contains(element) && !sheet?.contains(at) && !at.closest(".side, .notices, dialog")) flaw("covered", element, `“${text(element)}” by ${at.localName}.${at.classList[0] ?? ""}`);
  }

  // --- text ---
  for (const element of all) {
    if (!lines(element).length || element.matches("textarea, input, select, option")) continue;
    const s = style(element), box = element.getBoundingClientRect();
    if (/hidden|clip/.test(s.overflowX) && element.scrollWidth > element.clientWidth + 1 && s.textOverflow !== "ellipsis") flaw("cut", element, `“${text(element)}”`);
    if (/hidden|clip/.test(s.overflowY) && element.scrollHeight > element.clientHeight + 3) flaw("cut below", element, `“${text(element)}”`);
    if (s.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1 && !element.matches(".who") && element.closest("button, .button, h1, h2, h3, [role=tab], label")) flaw("shortened", element, `“${text(element)}”`);
    const frame = element.closest("button, .button, [role=tab], .choice span, .seat, .state, .card, th, td") ?? element;
    const range = document.createRange();
    for (const node of lines(element)) {
      range.selectNodeContents(node);
      const out = range.getBoundingClientRect(), around = frame.getBoundingClientRect();
      if (!scroller(element) && !clipped(element) && !/hidden|clip/.test(s.overflowX) && (out.right > around.right + 2 || out.left < around.left - 2)) flaw("spills", element, `“${text(element)}”`);
      if (out.bottom > around.bottom + 3 && frame !== element && frame.matches("button, .button, [role=tab], .choice span") ) flaw("spills below", element, `“${text(element)}”`);
      if (frame.matches("button, .button") && frame.matches(".main, .quiet") && out.width && !clipped(element) && !/hidden|clip/.test(s.overflowX) && (out.left < around.left + 5 || out.right > around.right - 5)) flaw("tight", element, `“${text(element)}”`);
    }
    if (element.matches(".counter") && element.querySelector("b")?.getBoundingClientRect().top > box.top + 10) flaw("torn", element, `“${text(element)}”`);
    if (box.width && box.right <= 0 && !scroller(element)) flaw("outside", element, `“${text(element)}”`);
  }

  // --- lines: none begins with a dot, none is a single letter, and none ends within a word ---
  const flows = (element) => !/^inline/.test(style(element).display);
  const blocks = new Set(all.filter((element) => lines(element).length).map((element) => { let at = element; while (at.parentElement && !flows(at)) at = at.parentElement; return at; }));
  for (const block of blocks) {
    if (block.closest("pre, textarea, select, .board") || block.textContent.length > 3000) continue;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), range = document.createRange(), rows = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let host = node.parentElement;
      if (hidden(host)) continue;
      while (host !== block && !flows(host)) host = host.parentElement;
      if (host !== block) continue;
      for (let n = 0; n < node.length; n++) {
        if (/\s/.test(node.data[n])) continue;
        range.setStart(node, n);
        range.setEnd(node, n + 1);
        const box = range.getBoundingClientRect();
        if (!box.width) continue;
        const row = rows[rows.length - 1];
        if (row && box.top < row.bottom - 2) { row.text += node.data[n]; row.bottom = Math.max(row.bottom, box.bottom); } else rows.push({ text: node.data[n], bottom: box.bottom });
      }
    }
    for (const row of rows) if (/^[·、。，．：；！？」』）]/.test(row.text) && rows.indexOf(row) > 0) flaw("begins with", block, `“${row.text.slice(0, 30)}”`);
    if (!block.closest(".game-card")) for (const [n, row] of rows.entries()) if (/\p{L}-$/u.test(row.text) && /^\p{L}/u.test(rows[n + 1]?.text ?? "")) flaw("torn", block, `“${row.text.slice(-20)} / ${rows[n + 1].text.slice(0, 20)}”`);
    const last = rows[rows.length - 1];
    if (rows.length > 1 && last.text.replace(/[\p{P}\s]/gu, "").length <= 1 && /[\p{L}]/u.test(last.text)) flaw("lone", block, `“${last.text}” after “${rows[rows.length - 2].text.slice(-20)}”`);
  }

  // --- one thing over another ---
  const boxes = [];
  for (const element of all) {
    if (!lines(element).length || element.closest(".board, select, .sheet, .invitations, .notices, .side, .stage, .offers, .round-card, .head, .lost-line") || (element.closest("dialog") === null && document.querySelector("dialog[open]"))) continue;
    for (const node of lines(element)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 2 && box.top >= 0 && box.bottom <= high && !scroller(element)) boxes.push({ element, box });
    }
  }
  for (let n = 0; n < boxes.length; n++) for (let m = n + 1; m < boxes.length; m++) {
    const one = boxes[n], other = boxes[m];
    if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
    const x = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left), y = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (x > 3 && y > 5) flaw("overlap", one.element, `“${text(one.element)}” / “${text(other.element)}”`);
  }

  // --- the board ---
  const board = document.querySelector(".room-page .board-frame svg");
  if (board && scrollY === 0) {
    const box = board.getBoundingClientRect(), tabs = document.querySelector(".side.closed [role=tablist]")?.getBoundingClientRect();
    const end = tabs && tabs.left < box.right && tabs.right > box.left ? tabs.top : high;
    if (box.left < -1 || box.right > wide + 1 || box.bottom > end + 2) flaw("board cut", null, `${Math.round(box.left)},${Math.round(box.top)}…${Math.round(box.right)},${Math.round(box.bottom)} in ${wide}×${Math.round(end)}`);
  }

  // --- words ---
  const foreign = document.documentElement.lang !== "en";
  const own = "code, pre, .who, .messages, .quote, body [lang], select, .codes, .told, .mono, .board, input[readonly], .seal, time, .given";
  const told = (element, what) => {
    if (!element.closest("code") && /\{\w+\}|undefined|NaN|\[object|\bnull\b/.test(what)) flaw("raw", element, `“${what.slice(0, 60)}”`);
    const said = element.matches("button, .button, legend, label, th, h1, h2, h3, summary, [role=tab]") ? /[A-Za-z]{3}/ : /(?<![\w@./:-])[a-z][a-z']{2,}(?![\w@]|\.\w)/; // names begin with a capital
    if (foreign && !element.closest(own) && said.test(what) && !/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/.test(what)) flaw("english", element, `“${what.trim().slice(0, 80)}”`);
  };
  for (const element of all) {
    for (const node of lines(element)) told(element, node.textContent);
    for (const name of ["aria-label", "title", "placeholder"]) if (element.hasAttribute(name)) told(element, element.getAttribute(name));
  }
  return [...found.values()];
}
