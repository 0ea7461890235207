// Keys that work everywhere. Where somebody types, a letter is a letter.

import { useEffect, useRef } from "preact/hooks";

export function typing(event: KeyboardEvent): boolean {
  const at = event.target;
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

/** useKey calls run for a key, unless something is typed or a dialog is open; with "Ctrl-" before it also then. */
export function useKey(key: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const control = key.startsWith("Ctrl-");
      if (control ? !(event.ctrlKey || event.metaKey) || event.key !== key.slice(5) : event.ctrlKey || event.metaKey || event.altKey || event.key !== key) return;
      if (!control && (typing(event) || document.querySelector("dialog[open]") !== null)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [key]);
}
