// Talks to the proxy that this page came from. The key is kept for this tab only.

const PLACE = "acr-key";

export const key = {
  get: () => sessionStorage.getItem(PLACE) ?? "",
  set: (value) => (value ? sessionStorage.setItem(PLACE, value) : sessionStorage.removeItem(PLACE)),
};

export class Refused extends Error {}

/** What an own endpoint answers. Throws `Refused` where a key is wanted, `Error` with a message otherwise. */
export async function get(path) {
  const headers = key.get() ? { authorization: `Bearer ${key.get()}` } : {};
  let response;
  try {
    response = await fetch(path, { headers, cache: "no-store" });
  } catch {
    throw new Error("The proxy cannot be reached.");
  }
  if (response.status === 401) throw new Refused("This proxy needs a key.");
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.error?.message ?? `The proxy answered ${response.status}.`);
  return body;
}

export const status = () => get("/v1/acr/status");
export const totals = () => get("/v1/acr/totals");
export const requests = async () => (await get("/v1/acr/decisions?limit=300&brief=true")).data;
export const request = (id) => get(`/v1/acr/decisions/${encodeURIComponent(id)}`);
export const turns = async (id) => (await get(`/v1/acr/decisions/${encodeURIComponent(id)}/turns`)).data;

/** Ids of the upstream's models; none if it does not tell. */
export async function models() {
  const headers = key.get() ? { authorization: `Bearer ${key.get()}` } : {};
  try {
    const response = await fetch("/v1/models", { headers });
    const body = response.ok ? await response.json() : null;
    return (body?.data ?? []).map((model) => String(model.id)).filter((id) => !id.startsWith("acr-"));
  } catch {
    return [];
  }
}
