// Runs the scenarios in Node: node out/test/node.js URL CONTROL TOKEN PASSWORD

import { scenarios } from "./scenarios.js";

const [url, control, token, password] = process.argv.slice(2) as [string, string, string, string];
for (const [name, scenario] of Object.entries(scenarios)) {
  await scenario({ url, control, token, password, transport: "sse" });
  console.log(name);
}
