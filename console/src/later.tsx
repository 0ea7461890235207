// Screens that are in a file of their own, so that the first ones are there sooner.

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

import type { Params } from "./router";
import { text } from "./text";
import { Loading } from "./ui/state";

type More = typeof import("./more");

const more = signal<More | undefined>(undefined);
const failed = signal(false);
let asked = false;

/** wantMore loads the file unless it is there or on its way. */
export function wantMore(): void {
  if (asked) return;
  asked = true;
  failed.value = false;
  import("./more").then(
    (got) => (more.value = got),
    () => {
      asked = false;
      failed.value = true;
    },
  );
}

/** later is a screen of that file; a part of a page shows nothing until it is there. */
export function later<Props extends object = { params: Params }>(name: keyof More, quietly = false): ComponentType<Props> {
  return function Later(props: Props) {
    useEffect(wantMore, []);
    const View = more.value?.[name] as ComponentType<Props> | undefined;
    if (View !== undefined) return <View {...props} />;
    if (quietly) return null;
    if (!failed.value) return <Loading />;
    return (
      <div class="notice bad" role="alert">
        <p>{text("state.notLoaded")}</p>
        <button type="button" onClick={() => location.reload()}>
          {text("state.reload")}
        </button>
      </div>
    );
  };
}
