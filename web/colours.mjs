// Colours by day and by night for browsers that do not know light-dark(): it is younger than some phones.

const RULE = /([^{}]+)\{([^{}]*)\}/g;
const PAIR = /(--[\w-]+:\s*)light-dark\(([^,()]+),\s*([^()]+)\)/g;

/** Every rule with such colours as three: by day, by night where the system says so, and where the reader does. Its selector begins with :root. */
export function withoutLightDark(style) {
  return style.replace(RULE, (rule, before, body) => {
    const pairs = [...body.matchAll(PAIR)];
    if (!pairs.length) return rule;
    const selector = before.replace(/\/\*.*?\*\//gs, "").trim();
    const night = pairs.map(([, name, , dark]) => `${name}${dark};`).join("");
    const day = `${before}{${body.replace(PAIR, "$1$2")}}`;
    return `${day}\n@media (prefers-color-scheme: dark){${selector}:not([data-theme="light"]){${night}}}\n${selector}[data-theme="dark"]{${night}}`;
  });
}
