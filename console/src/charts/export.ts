// Taking a chart away: as a picture, as data, as the request behind it.

const copied = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-family", "font-size", "font-weight", "text-anchor", "opacity", "dominant-baseline"];

/** drawing is a chart as an SVG file: colours and fonts are those of the page, written out. */
export function drawing(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  for (const [i, element] of from.entries()) {
    const target = to[i];
    if (target === undefined) continue;
    const style = getComputedStyle(element);
    for (const name of copied) target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label", "style"]) target.removeAttribute(name);
  }
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", getComputedStyle(document.documentElement).getPropertyValue("--ground")]] as const) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** picture is a chart as a PNG file, twice as large as on the page. */
export async function picture(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([drawing(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = svg.clientWidth * 2;
    canvas.height = svg.clientHeight * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob === null ? failed(new Error("no picture")) : done(blob)), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

export interface Data {
  columns: string[];
  rows: (string | number)[][];
}

/** csv writes data as other programs read it (RFC 4180); what a spreadsheet would take for a formula stays a text. */
export function csv(data: Data): string {
  const cell = (value: string | number): string => {
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return [data.columns, ...data.rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** curl is a command that asks the server for the same figures; signed, with a token that whoever runs it has. */
export function curl(path: string, body?: unknown, signed = false): string {
  const url = `${location.origin}${document.documentElement.dataset["root"] ?? ""}${path}`;
  if (body === undefined) return `curl '${url}'${signed ? ' -H "Authorization: Bearer $TOKEN"' : ""}`;
  return `curl '${url}' -H 'Content-Type: application/json' -d '${JSON.stringify(body).replace(/'/g, "'\\''")}'`;
}

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
