// What the browser remembers of a visitor's choices. Where it must not, a choice holds as long as the page does.

import { signal, type Signal } from "@preact/signals";

export function remembered<T extends string>(name: string, choices: readonly T[], otherwise: T): Signal<T> {
  const key = `edict.${name}`;
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // storage is forbidden
  }
  const choice = signal(choices.find((c) => c === kept) ?? otherwise);
  choice.subscribe((value) => {
    try {
      if (value === otherwise) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // as above
    }
  });
  return choice;
}
