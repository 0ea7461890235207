// Which screen is shown: the address says it, alone. A link reproduces what its sender saw.

import { signal } from "@preact/signals";

import { root } from "./about";

const base = `${root}/console`;

interface Place {
  /** path is that behind /console: "/" or "/law/v/irpp" */
  path: string;
  query: URLSearchParams;
  /** fragment is what is behind #. Servers never see it. */
  fragment: string;
}

function here(): Place {
  const path = location.pathname.slice(base.length).replace(/\/+$/, "");
  return { path: path === "" ? "/" : path, query: new URLSearchParams(location.search), fragment: location.hash.slice(1) };
}

/** place is where the visitor is. */
export const place = signal(here());

/** visits counts the pages that were opened by link, so that the focus follows. */
export const visits = signal(0);

/** address is the URL of a screen, for links: "/law" and its query. */
export function address(path: string): string {
  return base + (path === "/" ? "/" : path);
}

/** go opens a screen. */
export function go(path: string): void {
  history.pushState(null, "", address(path));
  arrive();
}

/** replace changes the address without another step of the way back: while something is typed or dragged. */
export function replace(path: string): void {
  history.replaceState(null, "", address(path));
  place.value = here();
}

function arrive(): void {
  place.value = here();
  visits.value++;
  scrollTo(0, 0);
}

/** startRouter takes over the links of the console and the buttons of the browser. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    place.value = here();
  });
  addEventListener("hashchange", () => {
    if (place.peek().fragment !== location.hash.slice(1)) place.value = here();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href");
    if (link === null || !href || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || (link.pathname !== base && !link.pathname.startsWith(`${base}/`))) return;
    event.preventDefault();
    history.pushState(null, "", href);
    arrive();
  });
}

/** Params are the parts of a path that its pattern has names for. */
export type Params = Record<string, string>;

/** match compares a path with a pattern: "/law/v/:id". The last name, written "*rest", takes everything. */
export function match(pattern: string, path: string): Params | undefined {
  const want = pattern.split("/");
  const got = path.split("/");
  const params: Params = {};
  for (const [i, step] of want.entries()) {
    const value = got[i];
    if (value === undefined) return undefined;
    if (step.startsWith("*")) {
      params[step.slice(1)] = got.slice(i).map(decode).join("/");
      return params;
    }
    if (step.startsWith(":")) params[step.slice(1)] = decode(value);
    else if (step !== value) return undefined;
  }
  return got.length === want.length ? params : undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
