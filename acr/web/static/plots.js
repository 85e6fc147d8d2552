// Small plots, drawn as SVG.

import { h, number, svg } from "./dom.js";

const WIDTH = 200, HEIGHT = 44, PAD = 5;

/** One signal over the user's turns. `points`: {value, acted}; a missing value is null. */
export function course(name, points, evidence, onTurn) {
  const values = points.map((point) => point.value ?? 0);
  const top = Math.max(...values, 0) || 1, bottom = Math.min(...values, 0);
  const x = (index) => (points.length < 2 ? WIDTH / 2 : PAD + (index * (WIDTH - 2 * PAD)) / (points.length - 1));
  const y = (value) => HEIGHT - PAD - ((value - bottom) * (HEIGHT - 2 * PAD)) / (top - bottom || 1);
  const known = points.map((point, index) => [x(index), y(point.value ?? 0), point, index])
    .filter(([, , point]) => point.value !== null && point.value !== undefined);
  const path = known.map(([left, up], index) => `${index ? "L" : "M"}${left.toFixed(1)} ${up.toFixed(1)}`).join("");
  const dots = known.map(([left, up, point, index]) =>
    svg("circle", { class: point.acted ? "dot acted" : "dot", cx: String(left), cy: String(up), r: point.acted ? "4" : "2.5" },
      svg("title", {}, `turn ${index + 1}: ${number(point.value)}${point.acted ? ", ACR intervened" : ""}`)));
  const area = known.length > 1
    ? svg("path", { class: "area", d: `${path}L${known.at(-1)[0]} ${y(bottom)}L${known[0][0]} ${y(bottom)}Z` }) : null;
  const told = `${name} over ${points.length} turns: ${known.map(([, , point]) => number(point.value)).join(", ")}`;
  const ids = evidence ?? [];
  return h("figure", { class: "plot" },
    h("figcaption", {}, h("span", {}, name.replaceAll("_", " ")), h("b", {}, known.length ? number(known.at(-1)[2].value) : "–")),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": told },
      svg("line", { class: "axis", x1: "0", x2: String(WIDTH), y1: String(y(0)), y2: String(y(0)) }),
      area, svg("path", { class: "line", d: path }), dots),
    ids.length
      ? h("div", { class: "evidence" }, "seen in ", ids.slice(0, 8).map((id, index) => [index ? ", " : "", onTurn(id)]),
          ids.length > 8 ? ` and ${ids.length - 8} more` : "")
      : null);
}

/** Bars with a label each. `rows`: [label, value, shown]. */
export function bars(rows, told) {
  const top = Math.max(...rows.map(([, value]) => value), 1), step = 20, left = 118, width = 420;
  return svg("svg", { class: "bars", viewBox: `0 0 ${width} ${rows.length * step}`, role: "img", "aria-label": told },
    rows.map(([label, value, shown], index) => [
      svg("text", { x: String(left - 6), y: String(index * step + 14), "text-anchor": "end" }, label),
      svg("rect", { class: "bar", x: String(left), y: String(index * step + 4), rx: "2", height: String(step - 7),
        width: String(Math.max(value ? 1.5 : 0, ((width - left - 60) * value) / top)) }),
      svg("text", { x: String(left + 5 + ((width - left - 60) * value) / top), y: String(index * step + 14) }, shown),
    ]));
}
