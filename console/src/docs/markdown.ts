// The Markdown that the documentation is written in, as a tree. Nothing of it becomes HTML: the screen makes elements of it.

export type Inline = string | { kind: "code" | "strong" | "em"; text: string } | { kind: "link"; text: string; to: string };

export type Block =
  | { kind: "heading"; level: number; text: string; id: string }
  | { kind: "code"; text: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "list"; numbered: boolean; items: string[] }
  | { kind: "quote" | "text"; text: string };

/** anchor is the fragment of a heading, as links between pages have it. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, "").trim().replace(/\s+/g, "-");
}

const bullet = /^\s*(?:[-*]|(\d+)\.)\s+/;

/** blocks reads a page. */
export function blocks(page: string): Block[] {
  const lines = page.split("\n");
  const found: Block[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? "";
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === "") i++;
    else if (line.startsWith("```")) {
      const from = ++i;
      while (i < lines.length && !(lines[i] ?? "").startsWith("```")) i++;
      found.push({ kind: "code", text: lines.slice(from, i++).join("\n") });
    } else if (heading !== null) {
      found.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "", id: anchor(heading[2] ?? "") });
      i++;
    } else if (/^( {4}|\t)\S/.test(line)) {
      const from = i;
      while (i < lines.length && /^( {4}|\t|$)/.test(lines[i] ?? "")) i++;
      found.push({ kind: "code", text: lines.slice(from, i).map((l) => l.replace(/^( {4}|\t)/, "")).join("\n").trimEnd() });
    } else if (line.startsWith("|") && /^\|[\s:|-]+\|?\s*$/.test(lines[i + 1] ?? "")) {
      const from = i;
      while (i < lines.length && (lines[i] ?? "").startsWith("|")) i++;
      found.push({ kind: "table", head: cells(line), rows: lines.slice(from + 2, i).map(cells) });
    } else if (bullet.test(line)) {
      const items: string[] = [];
      const numbered = /^\s*\d/.test(line);
      for (; i < lines.length && (lines[i] ?? "").trim() !== ""; i++) {
        const l = lines[i] ?? "";
        if (bullet.test(l)) items.push(l.replace(bullet, ""));
        else items.push(`${items.pop() ?? ""} ${l.trim()}`);
      }
      found.push({ kind: "list", numbered, items });
    } else {
      const from = i;
      while (i < lines.length && (lines[i] ?? "").trim() !== "" && (i === from || !/^(#{1,6}\s|```|\||\s*[-*]\s)/.test(lines[i] ?? ""))) i++;
      const words = lines.slice(from, i).join(" ");
      found.push(words.startsWith("> ") ? { kind: "quote", text: words.replace(/(^| )> /g, "$1") } : { kind: "text", text: words });
    }
  }
  return found;
}

function cells(row: string): string[] {
  return row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** inlines reads what stands in a line. */
export function inlines(words: string): Inline[] {
  const found: Inline[] = [];
  const marks = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(?<![\w*])\*([^*\s][^*]*)\*/g;
  let at = 0;
  for (const m of words.matchAll(marks)) {
    if (m.index > at) found.push(words.slice(at, m.index));
    if (m[2] !== undefined) found.push({ kind: "code", text: m[2] });
    else if (m[3] !== undefined) found.push({ kind: "strong", text: m[3] });
    else if (m[4] !== undefined) found.push({ kind: "link", text: m[4].replace(/`/g, ""), to: m[5] ?? "" });
    else found.push({ kind: "em", text: m[6] ?? "" });
    at = m.index + m[0].length;
  }
  if (at < words.length) found.push(words.slice(at));
  return found;
}

/** start is the name of the start page. */
export const start = "README";

/** linked returns the page that a link on another page leads to, and its fragment. It is undefined for links that leave the documentation. */
export function linked(from: string, to: string): { name: string; fragment: string } | undefined {
  const m = /^([\w./-]+)\.md(#.*)?$/.exec(to);
  if (m === null) return undefined;
  const path = from.split("/").slice(0, -1);
  for (const step of (m[1] ?? "").split("/")) {
    if (step !== "..") path.push(step);
    else if (path.pop() === undefined) return undefined;
  }
  return { name: path.join("/"), fragment: m[2] ?? "" };
}

/** titleOf is the first heading of a page. */
export function titleOf(page: string): string {
  return /^#\s+(.*)$/m.exec(page)?.[1]?.replace(/`/g, "") ?? "";
}

export interface Hit {
  page: string;
  title: string;
  /** section is the heading that the line stands under */
  section: string;
  line: string;
}

/** search finds lines that have all the words, most a page's title or headings first. */
export function search(pages: Record<string, string>, words: string[], fold: (text: string) => string, most = 60): Hit[] {
  const first: Hit[] = [];
  const rest: Hit[] = [];
  for (const [page, content] of Object.entries(pages)) {
    const title = titleOf(content);
    let section = "";
    for (const line of content.split("\n")) {
      const heading = /^#+\s+(.*)$/.exec(line)?.[1];
      if (heading !== undefined) section = heading;
      const folded = fold(line);
      if (!words.every((w) => folded.includes(w))) continue;
      const plain = line.replace(/^[#>|\s-]+|[`*|]|\]\([^)]*\)|\[/g, "").trim();
      (heading === undefined ? rest : first).push({ page, title, section, line: plain.length > 200 ? `${plain.slice(0, 200)}…` : plain });
    }
  }
  return [...first, ...rest].slice(0, most);
}
