// The household of a screen, read from the fragment of the address and written back to it.

import { useEffect, useRef, useState } from "preact/hooks";

import { place, replace } from "../router";
import type { Catalogue } from "./catalogue";
import { type Household, preset } from "./household";
import { type LinkProblem, pack, unpack } from "./link";

export interface Kept {
  household: Household;
  change: (h: Household) => void;
  /** problem is what was wrong with the link that was opened */
  problem: LinkProblem | undefined;
  /** ready is false until the link is read */
  ready: boolean;
}

export function useHousehold(c: Catalogue, path: string, start: () => Household = () => preset(c, "family")): Kept {
  const [household, setHousehold] = useState<Household>(start);
  const [problem, setProblem] = useState<LinkProblem | undefined>(undefined);
  const written = useRef<string | undefined>(undefined);
  const [ready, setReady] = useState(place.peek().fragment === "");
  const fragment = place.value.fragment;
  useEffect(() => {
    if (fragment === "" || fragment === written.current) {
      setReady(true);
      return;
    }
    let left = false;
    void unpack(fragment).then((got) => {
      if (left) return;
      if (typeof got === "string") setProblem(got);
      else {
        written.current = fragment;
        setProblem(undefined);
        setHousehold(got);
      }
      setReady(true);
    });
    return () => {
      left = true;
    };
  }, [fragment]);
  const turn = useRef(0);
  const change = (h: Household): void => {
    setHousehold(h);
    setProblem(undefined);
    const mine = ++turn.current;
    // One address for a whole movement of a slider: browsers refuse hundreds in a moment.
    setTimeout(() => {
      if (mine !== turn.current) return;
      void pack(h).then((packed) => {
        if (mine !== turn.current) return;
        written.current = packed;
        replace(`${path}#${packed}`);
      });
    }, 150);
  };
  return { household, change, problem, ready };
}
