// One call of the proxy's own chat completions, streamed.

import { key } from "./api.js";

/** Calls and tells `onText` each time more of the answer is there. Never throws: `error` says what went wrong. */
export async function ask({ model, messages, temperature, seed, controls, upstreamKey, onText, signal }) {
  const started = performance.now();
  const headers = { "content-type": "application/json", ...controls, ...credentials(upstreamKey) };
  const body = { model, messages, stream: true, stream_options: { include_usage: true } };
  if (temperature !== "") body.temperature = Number(temperature);
  if (seed !== "") body.seed = Number(seed);
  const result = { text: "", usage: null, error: null, acr: {}, first: null, whole: null };
  try {
    const response = await fetch("/v1/chat/completions", { method: "POST", headers, body: JSON.stringify(body), signal });
    for (const [name, value] of response.headers) if (name.startsWith("x-acr-")) result.acr[name.slice(6)] = value;
    if (!response.ok) {
      const told = await response.json().catch(() => null);
      throw new Error(told?.error?.message ?? `the answer was ${response.status}`);
    }
    await read(response, result, () => { result.first ??= performance.now() - started; onText(result.text); });
  } catch (fault) {
    result.error = fault.name === "AbortError" ? "stopped" : fault.message;
  }
  result.whole = performance.now() - started;
  return result;
}

/** ACR's key and the upstream's stand in different headers where there are both. */
function credentials(upstreamKey) {
  const own = key.get();
  if (own && upstreamKey) return { "x-api-key": own, authorization: `Bearer ${upstreamKey}` };
  return own || upstreamKey ? { authorization: `Bearer ${own || upstreamKey}` } : {};
}

async function read(response, result, onMore) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece; !(piece = await reader.read()).done; ) {
    const lines = (rest + piece.value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const data = line.startsWith("data:") ? line.slice(5).trim() : "";
      if (!data || data === "[DONE]") continue;
      const event = JSON.parse(data);
      if (event.error) throw new Error(event.error.message ?? "the stream broke off");
      if (event.usage) result.usage = event.usage;
      const more = event.choices?.[0]?.delta?.content;
      if (more) {
        result.text += more;
        onMore();
      }
    }
  }
}
