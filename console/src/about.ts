// What the server said of itself in the page.

export interface About {
  version: string;
  services: string[];
  signIn: boolean;
  demo: boolean;
  people: string[] | null;
}

const html = document.documentElement;

/** root is the path below which the server answers, mostly "". */
export const root = html.dataset["root"] ?? "";

export const about = JSON.parse(html.dataset["about"] ?? "{}") as About;

/** runs reports whether the server has a service. */
export function runs(service: "messaging" | "simulation"): boolean {
  return about.services.includes(service);
}
