// Makes elements. Text goes in as text, never as markup: what a conversation holds can only be read.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name in element && typeof value !== "string" && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export const count = (value) => (value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en"));

export function time(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "–";
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export const percent = (share) => (Number.isFinite(share) ? `${(100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0)}%` : "–");

export const clock = (iso) => new Date(iso).toLocaleTimeString([], { hour12: false });

export const number = (value) => (Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString());

export function figures(rows, kind = "") {
  const pairs = rows.filter(Boolean).map(([name, value, note]) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, ` ${note}`) : null)),
  );
  return h("dl", { class: `figures-grid ${kind}` }, pairs);
}

export function table(heads, rows) {
  const cell = (tag, value, index) => h(tag, { class: heads[index].startsWith("#") ? "num" : null }, value);
  return h("div", { class: "scroll" },
    h("table", {},
      h("thead", {}, h("tr", {}, heads.map((head, index) => cell("th", head.replace("#", ""), index)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, index) => cell("td", value, index)))))));
}

export const badge = (name) => h("span", { class: `badge ${name}` }, name === "none" ? "left alone" : name);
