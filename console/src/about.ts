// What the server said of itself in the page.

/** Issuer is where people can sign in besides, see console/issuer.go. */
export interface Issuer {
  url: string;
  name: string;
  client: string;
  scope: string;
  audience: string;
}

export interface About {
  version: string;
  services: string[];
  signIn: boolean;
  demo: boolean;
  people: string[] | null;
  /** populations is who may have them computed: admin, open, or nobody if it is empty */
  populations: "" | "admin" | "open";
  /** sample says that there is a synthetic population */
  sample: boolean;
  issuers: Issuer[];
}

const html = document.documentElement;

/** root is the path below which the server answers, mostly "". */
export const root = html.dataset["root"] ?? "";

export const about = JSON.parse(html.dataset["about"] ?? "{}") as About;

/** Service is what a server may have; watch needs both others. */
export type Service = "messaging" | "simulation" | "watch";

/** runs reports whether the server has a service. */
export function runs(service: Service): boolean {
  return about.services.includes(service);
}
