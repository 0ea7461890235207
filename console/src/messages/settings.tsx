// Making a channel, and changing one.

import { useState } from "preact/hooks";

import { client } from "../session";
import { text } from "../text";
import { Dialog } from "../ui/dialog";
import { Check, Input, Select } from "../ui/field";
import { Refused, useAct } from "./act";
import type { Channel } from "./names";

type Permission = "anyone" | "owner" | "subscribers";

/** permissions lists who may publish, in the order of a select box. */
export function permissions(): readonly (readonly [Permission, string])[] {
  return [
    ["anyone", text("channels.anyone")],
    ["subscribers", text("channels.subscribers")],
    ["owner", text("channels.ownerOnly")],
  ];
}

/** permission names one of them. */
export function permission(value: string | undefined): string {
  return permissions().find(([v]) => v === value)?.[1] ?? value ?? "";
}

/** kind says who finds a channel. */
export function kind(channel: { privateChannel: boolean; inviteOnly?: boolean | null }): string {
  return text(channel.inviteOnly ? "channels.inviteOnly" : channel.privateChannel ? "channels.kindPrivate" : "channels.public");
}

interface Fields {
  name: string;
  description: string;
  publishing: Permission;
  kept: string;
  open: boolean;
  personal: boolean;
  locked: boolean;
  wakes: boolean;
}

function Common(props: { of: Fields; set: (change: Partial<Fields>) => void }) {
  const { of, set } = props;
  return (
    <>
      <Input label={text("channels.description")} value={of.description} onInput={(description) => set({ description })} />
      <Select label={text("channels.publishing")} value={of.publishing} choices={permissions()} onChange={(publishing) => set({ publishing })} />
      <Input label={text("channels.kept")} hint={text("channels.keptHint")} type="number" min="0" step="1" value={of.kept} onInput={(kept) => set({ kept })} />
      <Check label={text("channels.open")} checked={of.open} onChange={(open) => set({ open })} />
      {of.personal && <Check label={text("channels.inviteOnly")} checked={of.locked} onChange={(locked) => set({ locked })} />}
      <Check label={text("channels.wakePreview")} checked={of.wakes} onChange={(wakes) => set({ wakes })} />
    </>
  );
}

/** maxOf reads how many items are kept: none given means all. */
function maxOf(kept: string): number {
  return kept.trim() === "" ? -1 : Number(kept);
}

export function NewChannel(props: { onClose: () => void; onMade: (name: string, personal: boolean) => void }) {
  const [of, setOf] = useState<Fields>({ name: "", description: "", publishing: "anyone", kept: "", open: true, personal: false, locked: false, wakes: false });
  const act = useAct();
  const set = (change: Partial<Fields>): void => setOf({ ...of, ...change });
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = {
      channelName: of.name,
      description: of.description,
      publishPermission: of.publishing,
      maxItems: maxOf(of.kept),
      subscriptionEnabled: of.open,
      privateChannel: of.personal,
      inviteOnly: of.personal && of.locked,
      wakePreview: of.wakes,
    };
    if (await act.run(() => client.post("/message/api/v2/channels", { body }))) props.onMade(of.name, of.personal);
  };
  return (
    <Dialog title={text("channels.new")} onClose={props.onClose}>
      <form onSubmit={(event) => void make(event)}>
        <Input label={text("channels.name")} value={of.name} onInput={(name) => set({ name })} required />
        <Check label={text("channels.private")} checked={of.personal} onChange={(personal) => set({ personal })} />
        <Common of={of} set={set} />
        <Refused error={act.error} />
        <button type="submit" class="primary" disabled={act.busy}>
          {text("channels.make")}
        </button>
      </form>
    </Dialog>
  );
}

export function ChannelSettings(props: { name: string; channel: Channel; onClose: () => void; onSaved: () => void; onDelete: () => void; onEmpty: () => void }) {
  const c = props.channel;
  const was: Fields = {
    name: c.name,
    description: c.description,
    publishing: c.publisherPermission as Permission,
    kept: c.maxItems < 0 ? "" : String(c.maxItems),
    open: c.subscriptionEnabled,
    personal: c.privateChannel,
    locked: c.inviteOnly ?? false,
    wakes: c.wakePreview,
  };
  const [of, setOf] = useState(was);
  const [owner, setOwner] = useState(c.owner ?? "");
  const act = useAct();
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = {
      ...(of.description !== was.description && { description: of.description }),
      ...(of.publishing !== was.publishing && { publishPermission: of.publishing }),
      ...(of.kept !== was.kept && { maxItems: maxOf(of.kept) }),
      ...(of.open !== was.open && { subscriptionEnabled: of.open }),
      ...(of.locked !== was.locked && { inviteOnly: of.locked }),
      ...(of.wakes !== was.wakes && { wakePreview: of.wakes }),
      ...(owner !== (c.owner ?? "") && { owner }),
    };
    if (await act.run(() => client.patch("/message/api/v2/channels/{channel_name}", { path: { channel_name: props.name }, body }))) props.onSaved();
  };
  return (
    <Dialog title={text("channels.change")} onClose={props.onClose}>
      <form onSubmit={(event) => void save(event)}>
        <Common of={of} set={(change) => setOf({ ...of, ...change })} />
        {!of.personal && <Input label={text("channels.owner")} hint={text("channels.ownerHint")} value={owner} onInput={setOwner} />}
        <Refused error={act.error} />
        <div class="row-of between wide">
          <button type="submit" class="primary" disabled={act.busy}>
            {text("channels.save")}
          </button>
          <span class="row-of">
            <button type="button" class="danger" onClick={props.onEmpty}>
              {text("channels.empty")}
            </button>
            <button type="button" class="danger" onClick={props.onDelete}>
              {text("channels.delete")}
            </button>
          </span>
        </div>
      </form>
    </Dialog>
  );
}
