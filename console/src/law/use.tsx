// What screens of the law need first: its catalogue.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { isAway } from "../answer";
import { Away, Failure, Loading } from "../ui/state";
import { type Catalogue, catalogue, catalogueError, wantCatalogue } from "./catalogue";

export function WithLaw(props: { children: (c: Catalogue) => ComponentChildren }) {
  useEffect(() => wantCatalogue(), []);
  const c = catalogue.value;
  const error = catalogueError.value;
  if (c !== undefined) return <>{props.children(c)}</>;
  if (error === undefined) return <Loading />;
  return isAway(error) ? <Away error={error} again={() => wantCatalogue(1)} /> : <Failure error={error} again={() => wantCatalogue()} />;
}
