import { user } from "../session";
import { userAddress } from "./names";

/** Person is a user's id; for admins it leads to the user. */
export function Person(props: { id: string }) {
  if (!user.value?.admin || props.id === "" || props.id === "deleted") return <span>{props.id}</span>;
  return <a href={userAddress(props.id)}>{props.id}</a>;
}
