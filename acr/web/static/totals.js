// What was counted since the worker started, and the policies compared.

import { count, figures, h, percent, table, time } from "./dom.js";
import { bars } from "./plots.js";

const sum = (rows, fits = () => true) => rows.filter(fits).reduce((all, row) => all + row.count, 0);

export function view(totals, rows, status) {
  const read = totals.decisions.filter((row) => row.controller !== "gate");
  const acted = sum(totals.decisions, (row) => row.decision === "intervened" || row.decision === "answered");
  const failed = Object.values(totals.failures).reduce((all, one) => all + one, 0);
  const all = sum(totals.requests), seen = sum(totals.decisions), judged = sum(read);
  const saved = (totals.tokens.before ?? 0) - (totals.tokens.after ?? 0);
  const spent = (totals.auxiliary.prompt ?? 0) + (totals.auxiliary.completion ?? 0);
  const looked = totals.overhead.counts.reduce((sofar, one) => sofar + one, 0);
  return h("div", {},
    h("p", { class: "soft small" }, `Since ${new Date(1000 * totals.since).toLocaleString([], { hour12: false })}`,
      status.workers > 1 ? `, of worker ${status.worker}, one of ${status.workers}: each counts for itself.` : "."),
    h("section", { class: "card" }, h("h2", {}, "Together"), figures([
      ["requests", count(all)],
      ["intervention rate", percent(acted / seen), `${count(acted)} of ${count(seen)} read`],
      ["where ACR had a choice", percent(acted / judged), `${count(acted)} of ${count(judged)}`],
      ["failed open", h("span", { class: failed ? "bad" : "" }, count(failed))],
      ["prompt tokens saved", h("span", { class: saved > 0 ? "good" : "" }, count(saved)), "estimated"],
      ["spent by ACR's model", count(spent), "tokens"],
      ["ACR's own time", looked ? time((1000 * totals.overhead.sum) / looked) : "–", "mean"],
      ["broken off", count(Object.values(totals.broken).reduce((sofar, one) => sofar + one, 0))],
    ], "big")),
    h("div", { class: "sides" }, decisions(totals), overhead(totals.overhead)),
    policies(rows),
    h("section", { class: "card" }, h("h2", {}, "Decisions by controller and operator"),
      totals.decisions.length ? table(["controller", "decision", "operator", "#requests", "#share"],
        [...totals.decisions].sort((one, two) => two.count - one.count).map((row) =>
          [row.controller === "request" ? "the request itself" : row.controller, row.decision === "none" ? "left alone" : row.decision, row.operator || "–", count(row.count), percent(row.count / seen)]))
        : h("p", { class: "soft" }, "No conversation was read yet.")),
    failed ? h("section", { class: "card" }, h("h2", {}, "Failures"), table(["what failed", "#requests"], Object.entries(totals.failures).map(([kind, one]) => [kind, count(one)]))) : null,
    h("section", { class: "card" }, h("h2", {}, "Requests by endpoint"),
      totals.requests.length ? table(["endpoint", "decision", "status", "#requests"], endpoints(totals.requests))
        : h("p", { class: "soft" }, "None yet.")));
}

/** Requests by endpoint, decision and status, whatever the operator. */
function endpoints(rows) {
  const by = new Map();
  for (const { endpoint, decision, status, count: one } of rows) {
    const name = JSON.stringify([endpoint, decision === "none" ? "left alone" : decision, status]);
    by.set(name, (by.get(name) ?? 0) + one);
  }
  return [...by].sort((one, two) => two[1] - one[1]).map(([name, all]) => [...JSON.parse(name), count(all)]);
}

function decisions(totals) {
  const by = new Map();
  for (const row of totals.requests) by.set(row.decision, (by.get(row.decision) ?? 0) + row.count);
  const rows = [...by].sort((one, two) => two[1] - one[1]).map(([name, value]) => [name === "none" ? "left alone" : name, value, count(value)]);
  return h("section", { class: "card" }, h("h2", {}, "Requests by decision"),
    rows.length ? bars(rows, `Requests by decision: ${rows.map(([name, value]) => `${name} ${value}`).join(", ")}`) : h("p", { class: "soft" }, "None yet."));
}

function overhead(histogram) {
  const last = histogram.counts.findLastIndex((one) => one > 0);
  const rows = histogram.counts.slice(0, last + 1).map((one, index) =>
    [index < histogram.bounds.length ? `to ${bound(histogram.bounds[index])}` : "above", one, count(one)]);
  return h("section", { class: "card" }, h("h2", {}, "ACR's own time before the upstream call"),
    rows.length ? bars(rows, `Requests by overhead: ${rows.map(([name, value]) => `${name}: ${value}`).join(", ")}`) : h("p", { class: "soft" }, "None yet."));
}

const bound = (seconds) => (seconds < 1 ? `${+(1000 * seconds).toPrecision(3)} ms` : `${seconds} s`);
const middle = (values) => (values.length ? values.sort((one, two) => one - two)[Math.floor(values.length / 2)] : null);

/** The controllers that decided in the requests that are still held. */
function policies(rows) {
  const by = Map.groupBy ? Map.groupBy(rows, (row) => row.controller) : group(rows);
  const lines = [...by].filter(([name]) => name && name !== "gate").map(([name, held]) => {
    const acted = held.filter((row) => row.applied || row.answered || row.decision === "observed");
    const sized = held.filter((row) => row.tokens_before > 0 && row.applied);
    const before = sized.reduce((all, row) => all + row.tokens_before, 0), after = sized.reduce((all, row) => all + row.tokens_after, 0);
    const reported = held.map((row) => row.answer?.usage?.completion_tokens).filter(Number.isFinite);
    return [name === "request" ? "the request itself" : name, count(held.length), percent(acted.length / held.length), before ? percent((before - after) / before) : "–",
      reported.length ? count(reported.reduce((all, one) => all + one, 0) / reported.length) : "–",
      time(middle(held.map((row) => row.overhead_ms))), count(held.filter((row) => row.failure).length)];
  });
  return h("section", { class: "card" }, h("h2", {}, "Policies, over the requests that are still held"),
    lines.length ? table(["controller", "#requests", "#would act", "#tokens saved", "#mean answer", "#own time (median)", "#failed"], lines)
      : h("p", { class: "soft" }, "No controller had a choice yet: that begins with a user's second turn."));
}

function group(rows) {
  const by = new Map();
  for (const row of rows) by.set(row.controller, [...(by.get(row.controller) ?? []), row]);
  return by;
}
