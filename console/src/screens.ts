// The table of screens. A screen is a file of its own in screens/, and a row here.

import type { ComponentType } from "preact";

import { runs } from "./about";
import type { Params } from "./router";
import { Home } from "./screens/home";
import { HouseholdScreen } from "./screens/household";
import { SignIn } from "./screens/sign-in";
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
  { path: "/sign-in", title: "signIn.title", view: SignIn },
];

/** screens are those that this server has something for. */
export const screens = all.filter((s) => s.service === undefined || runs(s.service));
