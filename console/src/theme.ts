// Light or dark: as the system says, or as the visitor chose.

import { remembered } from "./remember";

export const theme = remembered("theme", ["auto", "light", "dark"] as const, "auto");

theme.subscribe((choice) => {
  if (choice === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = choice;
});
