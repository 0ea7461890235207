// Words for what the server says in capitals.

import { moment, text } from "../text";

/** stateWord says in words where a copy of a message is. */
export function stateWord(state: string): string {
  const words: Record<string, string> = {
    PENDING: text("deliveries.pending"),
    WAKEUP_REQUIRED: text("deliveries.wakeupRequired"),
    WAKEUP_SENT: text("deliveries.wakeupSent"),
    WAKEUP_TIMEDOUT: text("deliveries.wakeupTimedout"),
    DELIVERY_ATTEMPTED: text("deliveries.attempted"),
    DELIVERED: text("deliveries.delivered"),
    RECEIVED: text("deliveries.received"),
    TIMEDOUT: text("deliveries.timedout"),
  };
  return words[state] ?? state;
}

/** when writes a time that may not be there. */
export function when(time: string | null | undefined): string {
  return time ? moment(new Date(time)) : "–";
}
