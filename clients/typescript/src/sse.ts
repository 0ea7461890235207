import type { StreamEvent } from "./event.js";

/** Frame is what a stream of Server-Sent Events brings: an event, how long to wait before the next connection, or why the stream ends. */
export type Frame = { kind: "event"; event: StreamEvent } | { kind: "retry"; milliseconds: number } | { kind: "comment"; text: string };

/** Parser cuts the text of a stream into frames, wherever it was cut on the way. */
export class Parser {
  #rest = "";
  #event = "";
  #id: string | null = null;
  #data: string[] = [];
  readonly #parse: (json: string) => unknown;

  constructor(parse: (json: string) => unknown = JSON.parse) {
    this.#parse = parse;
  }

  /** add takes more text and returns the frames that are complete. */
  add(text: string): Frame[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    const frames: Frame[] = [];
    for (const line of lines) {
      const frame = this.#line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  #line(line: string): Frame | undefined {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    switch (name) {
      case "":
        return { kind: "comment", text: value };
      case "event":
        this.#event = value;
        break;
      case "id":
        this.#id = value;
        break;
      case "data":
        this.#data.push(value);
        break;
      case "retry":
        return /^\d+$/.test(value) ? { kind: "retry", milliseconds: Number(value) } : undefined;
    }
    return undefined;
  }

  #complete(): Frame | undefined {
    const [event, id, data] = [this.#event, this.#id, this.#data.join("\n")];
    [this.#event, this.#id, this.#data] = ["", null, []];
    if (event === "") return undefined;
    return { kind: "event", event: { event, id, data: this.#parse(data) } as StreamEvent };
  }
}

/** endOf reads the code of a stream's end in its last comment. */
export function endOf(comment: string): { code: number; reason: string } | undefined {
  const found = /^(\d{4}) (.*)$/.exec(comment);
  return found === null ? undefined : { code: Number(found[1]), reason: found[2] ?? "" };
}
