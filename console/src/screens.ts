// The table of screens. A screen is a file of its own in screens/, and a row here.

import type { ComponentType } from "preact";

import { runs } from "./about";
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
  service?: "messaging" | "simulation";
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
  { path: "/sign-in", title: "signIn.title", view: SignIn },
];

/** screens are those that this server has something for. */
export const screens = all.filter((s) => s.service === undefined || runs(s.service));
