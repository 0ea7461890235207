import { render } from "preact";

import { startRouter } from "./router";
import { startSession } from "./session";
import { Shell } from "./shell";
import "./theme";

const at = document.getElementById("app");
if (at !== null) {
  startRouter();
  void startSession();
  render(<Shell />, at);
}
