// A household in the fragment of an address: "1." and the compressed JSON of it. The number says how it is written, so that old links can be told.

import type { Household } from "./household";

const version = "1.";

/** tooLong bounds what is unpacked: a link is a link, and no archive. */
const tooLong = 1 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array);
    size += (value as Uint8Array).length;
    if (size > tooLong) throw new Error("too long");
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** pack writes a household for a link. */
export async function pack(h: Household): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(h)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return version + btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export type LinkProblem = "broken" | "otherVersion";

/** unpack reads a household from a link, or says what is wrong with it. */
export async function unpack(fragment: string): Promise<Household | LinkProblem> {
  const written = /^(\d+)\.([\w-]+)$/.exec(fragment);
  if (written === null) return "broken";
  if (`${written[1] ?? ""}.` !== version) return "otherVersion";
  try {
    const binary = atob((written[2] ?? "").replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    return isHousehold(value) ? value : "broken";
  } catch {
    return "broken";
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHousehold(value: unknown): value is Household {
  if (!isRecord(value) || typeof value["period"] !== "string" || typeof value["vary"] !== "string") return false;
  const { people, groups, reforms } = value;
  if (!Array.isArray(people) || people.length === 0 || people.length > 100 || !isRecord(groups) || !Array.isArray(reforms) || reforms.length > 4) return false;
  if (!people.every((p) => isRecord(p) && typeof p["id"] === "string" && isRecord(p["values"]) && isRecord(p["roles"]))) return false;
  return Object.values(groups).every(isRecord) && reforms.every((r) => Array.isArray(r) && r.every((c) => typeof c === "string" || (isRecord(c) && isRecord(c["parameters"]))));
}
