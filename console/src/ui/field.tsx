// Controls of forms. Each has a visible name and says what is wrong beside it.

import type { ComponentChildren, Ref } from "preact";
import { useId } from "preact/hooks";

export function Field(props: { label: string; hint?: string | undefined; error?: string | undefined; children: (id: string, describedBy: string | undefined) => ComponentChildren }) {
  const id = useId();
  const about = props.error ?? props.hint;
  return (
    <div class={props.error === undefined ? "field" : "field wrong"}>
      <label for={id}>{props.label}</label>
      {props.children(id, about === undefined ? undefined : `${id}-about`)}
      {about !== undefined && (
        <small id={`${id}-about`} role={props.error === undefined ? undefined : "alert"}>
          {about}
        </small>
      )}
    </div>
  );
}

interface InputProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  type?: "text" | "password" | "search" | "number" | "date";
  value: string;
  onInput: (value: string) => void;
  autocomplete?: string;
  required?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  step?: string;
  min?: string;
  max?: string;
}

export function Input(props: InputProps) {
  return (
    <Field label={props.label} hint={props.hint} error={props.error}>
      {(id, about) => (
        <input
          id={id}
          ref={props.inputRef ?? null}
          type={(props.type ?? "text") as "text"}
          value={props.value}
          required={props.required}
          autocomplete={props.autocomplete ?? "off"}
          aria-describedby={about}
          aria-invalid={props.error !== undefined}
          step={props.step ?? (props.type === "number" ? "any" : undefined)}
          min={props.min}
          max={props.max}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function Select<V extends string>(props: { label: string; hint?: string; value: V; choices: readonly (readonly [value: NoInfer<V>, label: string])[]; onChange: (value: V) => void }) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(id, about) => (
        <select id={id} value={props.value} aria-describedby={about} onChange={(event) => props.onChange(event.currentTarget.value as V)}>
          {props.choices.map(([value, label]) => (
            <option key={value} value={value} selected={value === props.value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check(props: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={props.checked} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}
