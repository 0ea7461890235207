import { render } from "preact";

import { startRouter } from "./router";
import { startSession } from "./session";
import { Shell } from "./shell";
import { wantMore } from "./later";
import "./theme";

const at = document.getElementById("app");
if (at !== null) {
  startRouter();
  void startSession();
  render(<Shell />, at);
  setTimeout(wantMore, 1000); // so that it is there when somebody goes there
}
