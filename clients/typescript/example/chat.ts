// A chat page: sign in, the history of a channel, what comes live, and what came while the connection was lost.
// index.html?server=http://127.0.0.1:8080&channel=lobby

import { Client, EdictError, signIn, type components } from "edict-client";

type Item = components["schemas"]["Item"];

const query = new URLSearchParams(location.search);
const server = query.get("server") ?? "http://127.0.0.1:8080";
const path = { channel_name: query.get("channel") ?? "lobby" };

function form(id: string, submit: (fields: Record<string, string>) => Promise<void>): HTMLFormElement {
  const found = document.querySelector<HTMLFormElement>(`#${id}`)!;
  found.onsubmit = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries([...new FormData(found)].map(([name, value]) => [name, String(value)]));
    try {
      await submit(fields);
      found.reset();
    } catch (failed) {
      tell(failed instanceof EdictError ? failed.message : `${String(failed)}: try again`);
    }
  };
  return found;
}

function tell(text: string): void {
  document.querySelector("#state")!.textContent = text;
}

/** show puts an item in its place: ids sort as the items were published, and one that comes again, corrected, has the same. */
function show(item: Item): void {
  const list = document.querySelector<HTMLOListElement>("#items")!;
  const lines = [...list.children] as HTMLElement[];
  let line = lines.find((other) => other.dataset["id"] === item.itemId);
  if (line === undefined) {
    line = document.createElement("li");
    line.dataset["id"] = item.itemId;
    list.insertBefore(line, lines.find((other) => (other.dataset["id"] ?? "") > item.itemId) ?? null);
  }
  const name = document.createElement("b");
  name.textContent = item.publisher.userId;
  line.replaceChildren(name, " ", String(item.content["text"]));
  line.classList.toggle("edited", Boolean(item.metaData.editedDate));
}

/** join subscribes to the channel, which the first who comes makes. */
async function join(edict: Client): Promise<void> {
  try {
    await edict.put("/message/api/v2/channels/{channel_name}/subscribe", { path });
  } catch (failed) {
    if (!(failed instanceof EdictError) || failed.status !== 404) throw failed;
    await edict.post("/message/api/v2/channels", { body: { channelName: path.channel_name } });
  }
}

/** follow shows what comes until the session ends. The stream connects again by itself and leaves nothing out. */
async function follow(edict: Client, me: string): Promise<void> {
  const onState = (state: string): void => tell(state === "live" ? `${me} in ${path.channel_name}` : `${state} …`);
  let history = false;
  for await (const event of edict.stream({ onState })) {
    if (event.event === "item" && event.data.channelName === path.channel_name) show(event.data);
    if (event.event !== "ready" || history) continue;
    history = true; // what comes in between is shown once, by its id
    const page = await edict.get("/message/api/v2/channels/{channel_name}/items/fetch", { path, query: { sort_order: "DESC", size: 50 } });
    page.items.forEach(show);
  }
}

const enter = form("enter", async ({ name = "", password = "" }) => {
  const edict = new Client(server, { tokens: await signIn(server, name, password) });
  await join(edict);
  // The key makes one item of what is sent again because its answer was lost.
  const say = form("say", async ({ text = "" }) => {
    await edict.post("/message/api/v2/channels/{channel_name}/items", { path, body: { content: { text } }, idempotencyKey: crypto.randomUUID() });
  });
  enter.hidden = true;
  say.hidden = false;
  follow(edict, name).catch((ended: unknown) => tell(`${String(ended)}: load the page again`));
});
