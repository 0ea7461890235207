import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { address } from "../router";
import { client } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Shown } from "../ui/state";
import { Refused, useAct } from "./act";

/** Tags are what a channel is found by. */
export function Tags(props: { name: string; may: boolean }) {
  const path = { channel_name: props.name };
  const answer = useAnswer(props.name, (signal) => client.get("/message/api/v2/channels/{channel_name}/tags", { path, signal }));
  const [tag, setTag] = useState("");
  const act = useAct();
  const run = (work: () => Promise<unknown>): void => {
    void act.run(work).then((done) => {
      if (done) answer.again();
      if (done) setTag("");
    });
  };
  return (
    <section class="card">
      <h2>{text("channels.tags")}</h2>
      <Shown answer={answer}>
        {(list) =>
          list.tags.length === 0 ? (
            <p class="soft">{text("channels.noTags")}</p>
          ) : (
            <ul class="chips">
              {list.tags.map((t) => (
                <li key={t} class="chip">
                  <a href={address(`/channels?q=${encodeURIComponent(`#${t}`)}`)}>{t}</a>
                  {props.may && (
                    <button type="button" class="plain small" aria-label={`${text("channels.remove")}: ${t}`} onClick={() => run(() => client.delete("/message/api/v2/channels/{channel_name}/tags/{tag}", { path: { ...path, tag: t } }))}>
                      ✕
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {props.may && (
        <form
          class="row-of end"
          onSubmit={(event) => {
            event.preventDefault();
            run(() => client.post("/message/api/v2/channels/{channel_name}/tags", { path, body: { tags: [tag.trim()] } }));
          }}
        >
          <Input label={text("channels.newTag")} value={tag} onInput={setTag} required />
          <button type="submit" disabled={act.busy}>
            {text("channels.add")}
          </button>
        </form>
      )}
      <Refused error={act.error} />
    </section>
  );
}
