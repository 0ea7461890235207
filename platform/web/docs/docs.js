// The page is complete without this script; it adds the filter, copying, and the real host in commands.
"use strict";

const filter = document.getElementById("filter");
const routes = [...document.querySelectorAll("[data-route]")];
const groups = [...document.querySelectorAll("[data-group]")];

filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const route of routes) {
    const text = route.dataset.route.toLowerCase();
    route.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of groups) {
    group.hidden = group.querySelector("[data-route]:not([hidden])") === null;
  }
  document.getElementById("none").hidden = groups.some((group) => !group.hidden);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== filter) {
    event.preventDefault();
    filter.focus();
  }
});

for (const code of document.querySelectorAll("[data-curl]")) {
  code.textContent = code.textContent.replace("$EDICT", window.location.origin);
}

for (const block of document.querySelectorAll("pre.copy")) {
  const code = block.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  block.append(button);
}
