/** Copy a text; whether it was done. Browsers have a way of their own for pages by https only: at a club's http://192.168.… the old way does it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByHand(text);
  }
}

function copiedByHand(text: string): boolean {
  const field = document.createElement("textarea"),
    before = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  (before?.closest("dialog") ?? document.body).append(field); // nothing outside an open dialog can be selected
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
