// Requests that are sent from the page, with a token that was typed or that of the console's session. It is kept in the page and nowhere else.
"use strict";

function element(name, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}

function labelled(name, field) {
  return element("label", { className: "entry" }, element("span", { textContent: name }), field);
}

const token = element("input", { type: "password", autocomplete: "off", spellcheck: false });

function offerToken() {
  const said = element("p", { role: "status" });
  const take = element("button", { type: "button", textContent: "Use the console's session" });
  const copy = element("button", { type: "button", textContent: "Copy the token", hidden: true });
  take.addEventListener("click", async () => {
    const answer = await session().catch((failed) => failed);
    if (answer instanceof Error) said.textContent = `The session could not be asked for: ${answer.message}`;
    else if (answer.user === null) said.replaceChildren("Nobody is signed in: ", element("a", { href: "/console/sign-in", textContent: "sign in to the console" }), ", then come back.");
    else {
      token.value = answer.accessToken;
      said.textContent = `Requests are sent as ${answer.user.name}. The token is good for ${Math.round(answer.expiresIn / 60)} minutes.`;
      copy.hidden = false;
    }
  });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(token.value);
    said.textContent = "Copied.";
  });
  token.addEventListener("input", () => {
    copy.hidden = token.value === "";
    said.textContent = "";
  });
  const heading = element("h3", { textContent: "Get a token for this page" });
  document.getElementById("session").append(heading, labelled("Token that requests from this page are sent with", token), element("p", {}, take, " ", copy), said);
}

// The tabs of the console share one cookie, which each exchange makes void: they and this page take turns.
async function session() {
  const ask = async () => {
    const response = await fetch("/console/session");
    if (!response.ok) throw new Error(response.status === 404 ? "this server has no console" : `status ${response.status}`);
    return response.json();
  };
  return "locks" in navigator ? navigator.locks.request("edict.session", ask) : ask();
}

const longest = 100000; // characters of an answer that are shown

function writeAnswer(text, type) {
  if (type.includes("json")) {
    try {
      text = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // shown as it came
    }
  }
  return text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
}

// target is the request that the fields describe.
function target(article, fields) {
  let path = article.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const { row, field } of fields) {
    const { param, in: place } = row.dataset;
    if (place === "path") path = path.replace(`{${param}}`, param === "rest" ? field.value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(field.value));
    else if (field.value === "") continue;
    else if (place === "header") headers.set(param, field.value);
    else query.append(param, field.value);
  }
  if (token.value !== "") headers.set("Authorization", `Bearer ${token.value}`);
  return { url: path + (query.size > 0 ? `?${query}` : ""), headers };
}

async function send(article, fields, body, out) {
  const { url, headers } = target(article, fields);
  const init = { method: article.dataset.method, headers };
  if (body !== undefined) {
    headers.set("Content-Type", body.type);
    init.body = body.field.value;
  }
  const begun = performance.now();
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    out.replaceChildren(
      element("p", {}, element("span", { className: `status s${response.status}`, textContent: String(response.status) }), ` ${init.method} ${url} · ${Math.round(performance.now() - begun)} ms`),
      element("pre", { tabIndex: 0 }, element("code", { textContent: writeAnswer(text, type) })),
    );
  } catch (failed) {
    out.replaceChildren(element("p", { textContent: `Nothing came back: ${failed.message}` }));
  }
}

// fill makes the form of a route when somebody opens it.
function fill(article, box) {
  const fields = [...article.querySelectorAll("tr[data-param]")].map((row) => {
    const required = "required" in row.dataset;
    return { row, field: element("input", { value: required ? row.dataset.example : "", required, autocomplete: "off", spellcheck: false, placeholder: required ? "" : row.dataset.example }) };
  });
  const about = article.querySelector("[data-body]");
  const example = about?.querySelector("pre.copy > code")?.textContent ?? "";
  const body = about === null ? undefined : { type: about.dataset.body, field: element("textarea", { value: example, rows: Math.min(16, example.split("\n").length + 1), spellcheck: false }) };
  const out = element("div", { className: "came", role: "status" });
  const button = element("button", { type: "submit", textContent: "Send" });
  const form = element("form", {}, ...fields.map(({ row, field }) => labelled(`${row.dataset.param} (${row.dataset.in})`, field)));
  if (body !== undefined) form.append(labelled(`Body (${body.type})`, body.field));
  const really = article.dataset.method === "GET" ? "" : " It really does it, on this server.";
  form.append(element("p", {}, button, element("small", { textContent: really })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    await send(article, fields, body, out);
    button.disabled = false;
  });
  box.append(form, out);
}

// A stream does not end, and a file is chosen elsewhere: for those there is the command.
for (const article of document.querySelectorAll("article[data-method]")) {
  const sends = article.querySelector("[data-body]")?.dataset.body ?? "";
  if ("stream" in article.dataset || sends.startsWith("multipart/")) continue;
  const box = element("details", { className: "try" }, element("summary", { textContent: "Try it" }));
  box.addEventListener("toggle", () => {
    if (box.open && box.childElementCount === 1) fill(article, box);
  });
  article.append(box);
}

offerToken();
