// Dialogs are those of the browser: they hold the focus, close with Escape and give the focus back.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { text } from "../text";

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      class={props.wide ? "wide" : undefined}
      aria-label={props.title}
      onClose={props.onClose}
      onClick={(event) => {
        if (event.target === ref.current) ref.current?.close();
      }}
    >
      <div class="dialog">
        <header>
          <h2>{props.title}</h2>
          <button type="button" class="plain" aria-label={text("dialog.close")} onClick={() => ref.current?.close()}>
            ✕
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
