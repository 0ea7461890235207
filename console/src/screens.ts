// The table of screens. A screen is a file of its own in screens/, and a row here.

import type { ComponentType } from "preact";

import { about, runs, type Service } from "./about";
import { later } from "./later";
import type { Params } from "./router";
import { CompareScreen } from "./screens/compare";
import { Home } from "./screens/home";
import { HouseholdScreen } from "./screens/household";
import { Law } from "./screens/law";
import { ParameterScreen } from "./screens/parameter";
import { SignIn } from "./screens/sign-in";
import { VariableScreen } from "./screens/variable";
import type { Key } from "./text";

export interface Screen {
  /** path behind /console, as router.match reads it */
  path: string;
  title: Key;
  view: ComponentType<{ params: Params }>;
  /** service that the screen is about; without it the screen is not there */
  service?: Service;
  /** admin screens are offered to admins alone; the API refuses others */
  admin?: boolean;
  /** menu is the name of the screen's entry in the menu, in the order of the table */
  menu?: Key;
  /** door is what the first page says about the screen, where it leads there */
  door?: Key;
}

const all: Screen[] = [
  { path: "/", title: "home.title", view: Home },
  { path: "/household", title: "household.title", menu: "household.menu", door: "household.door", service: "simulation", view: HouseholdScreen },
  { path: "/compare", title: "compare.title", menu: "compare.menu", door: "compare.door", service: "simulation", view: CompareScreen },
  { path: "/law", title: "law.title", menu: "law.menu", door: "law.door", service: "simulation", view: Law },
  { path: "/law/v/:id", title: "law.title", service: "simulation", view: VariableScreen },
  { path: "/law/p/:path", title: "law.title", service: "simulation", view: ParameterScreen },
  { path: "/population", title: "population.title", menu: "population.menu", door: "population.door", service: "simulation", view: later("Populations") },
  { path: "/population/:id", title: "population.title", service: "simulation", view: later("PopulationScreen") },
  { path: "/watches", title: "watch.title", menu: "watch.title", door: "watch.door", service: "watch", view: later("Watches") },
  { path: "/runs", title: "run.title", menu: "run.title", service: "watch", admin: true, view: later("Runs") },
  { path: "/runs/:id", title: "run.one", service: "watch", admin: true, view: later("RunScreen") },
  { path: "/channels", title: "channels.title", view: later("Channels"), service: "messaging", menu: "channels.title", door: "channels.door" },
  { path: "/channels/:name", title: "channels.channel", view: later("Channel"), service: "messaging" },
  { path: "/live", title: "live.title", view: later("Live"), service: "messaging", menu: "live.title" },
  { path: "/users", title: "users.title", view: later("Users"), service: "messaging", admin: true, menu: "users.title" },
  { path: "/users/:id", title: "users.user", view: later("User"), service: "messaging", admin: true },
  { path: "/deliveries", title: "deliveries.title", view: later("Deliveries"), service: "messaging", admin: true, menu: "deliveries.title" },
  { path: "/overview", title: "overview.title", view: later("Overview"), service: "messaging", admin: true, menu: "overview.title" },
  { path: "/audit", title: "audit.title", view: later("Audit"), service: "messaging", admin: true, menu: "audit.title" },
  { path: "/docs", title: "docs.title", view: later("Docs") },
  { path: "/docs/*page", title: "docs.title", view: later("DocsPage") },
  { path: "/sign-in", title: "signIn.title", view: SignIn },
];

/** screens are those that this server has something for. */
export const screens = all.filter((s) => (s.service === undefined || runs(s.service)) && (about.populations !== "" || !s.path.startsWith("/population")));
