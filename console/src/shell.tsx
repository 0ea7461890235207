// The frame around every screen: name, menu, language, theme, who is signed in, help.

import { useEffect, useRef, useState } from "preact/hooks";

import { about } from "./about";
import { isAway } from "./answer";
import { useKey } from "./keys";
import { address, go, match, type Params, place, visits } from "./router";
import { type Screen, screens } from "./screens";
import { sessionProblem, signOut, startSession, user } from "./session";
import { language, languageChoice, text } from "./text";
import { theme } from "./theme";
import { Dialog } from "./ui/dialog";
import { Away, Failure, Forbidden, Loading } from "./ui/state";

function current(): { screen: Screen; params: Params } | undefined {
  for (const screen of screens) {
    const params = match(screen.path, place.value.path);
    if (params !== undefined) return { screen, params };
  }
  return undefined;
}

export function Shell() {
  const found = current();
  const title = found === undefined ? text("state.noPage") : text(found.screen.title);
  // The parameters of the path distinguish the pages of one screen in tabs and history: the id of a variable, the name of a channel.
  const subjects = Object.values(found?.params ?? {});
  const main = useRef<HTMLElement>(null);
  const [help, setHelp] = useState(false);
  useKey("?", () => setHelp(true));
  useKey("Ctrl-k", () => go("/law"));
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.title = [...subjects, title, "edict"].join(" · ");
  }, [subjects.join(), title, language.value]);
  useEffect(() => {
    if (visits.value > 0 && !document.activeElement?.matches("[data-first]")) main.current?.focus({ preventScroll: true });
  }, [visits.value]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {text("shell.skip")}
      </a>
      <header class="top">
        <a class="brand" href={address("/")}>
          edict
        </a>
        <Menu />
        <div class="tools">
          <Preferences />
          <button type="button" class="plain" aria-label={text("help.title")} onClick={() => setHelp(true)}>
            ?
          </button>
          <Who />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {sessionProblem.value !== undefined && <Unknown />}
        {found === undefined ? <NoPage /> : <Guarded screen={found.screen} params={found.params} />}
      </main>
      <footer class="bottom">
        <span>edict {about.version}</span>
        <a href={address("/docs")}>{text("docs.title")}</a>
        <a href={`${address("/").replace(/console\/$/, "")}docs`}>{text("shell.api")}</a>
      </footer>
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  );
}

/** Unknown says why nobody can tell who is signed in. */
function Unknown() {
  const error = sessionProblem.value;
  return <div class="page">{isAway(error) ? <Away error={error} again={() => void startSession()} /> : <Failure error={error} again={() => void startSession()} />}</div>;
}

function Guarded(props: { screen: Screen; params: Params }) {
  if (props.screen.admin && !user.value?.admin) {
    if (user.value === undefined) return <Loading />;
    return (
      <section class="page">
        <h1>{text(props.screen.title)}</h1>
        <Forbidden signedIn={user.value !== null} />
      </section>
    );
  }
  const View = props.screen.view;
  return <View key={props.screen.path} params={props.params} />;
}

function NoPage() {
  return (
    <section class="page">
      <h1>{text("state.noPage")}</h1>
      <p>{text("state.noPageHelp")}</p>
      <a class="button" href={address("/")}>
        {text("home.title")}
      </a>
    </section>
  );
}

function Menu() {
  const shown = screens.filter((s) => s.menu !== undefined && (!s.admin || user.value?.admin));
  if (shown.length === 0) return <span class="grow" />;
  return (
    <nav aria-label={text("shell.menu")}>
      <ul>
        {shown.filter((s) => !s.admin).map((s) => (
          <Entry key={s.path} screen={s} />
        ))}
        <Operators screens={shown.filter((s) => s.admin)} />
      </ul>
    </nav>
  );
}

function isHere(s: Screen): boolean {
  return place.value.path.split("/")[1] === s.path.split("/")[1];
}

function Entry(props: { screen: Screen }) {
  const s = props.screen;
  return (
    <li>
      <a href={address(s.path)} aria-current={isHere(s) ? "page" : undefined}>
        {text(s.menu ?? s.title)}
      </a>
    </li>
  );
}

/** Operators is one entry for all screens that are for admins alone; the browser closes its list with Escape, and with a click elsewhere. */
function Operators(props: { screens: Screen[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.hidePopover(), [visits.value]);
  if (props.screens.length === 0) return null;
  // It is above everything else, and so has to be told where its button is: before it is seen, and when its width is known.
  const beside = (): void => {
    if (button.current === null || list.current === null) return;
    const { left, bottom } = button.current.getBoundingClientRect();
    list.current.style.top = `${bottom + scrollY + 4}px`;
    list.current.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - list.current.offsetWidth - 8))}px`;
  };
  return (
    <li>
      <button ref={button} type="button" class="plain" popovertarget="operators" aria-current={props.screens.some(isHere) ? "true" : undefined}>
        {text("shell.operators")} <span aria-hidden="true">▾</span>
      </button>
      <ul id="operators" ref={list} popover="auto" onBeforeToggle={beside} onToggle={beside}>
        {props.screens.map((s) => (
          <Entry key={s.path} screen={s} />
        ))}
      </ul>
    </li>
  );
}

function Preferences() {
  return (
    <>
      <label>
        <span class="hidden">{text("shell.language")}</span>
        <select value={languageChoice.value} onChange={(event) => (languageChoice.value = event.currentTarget.value as "auto" | "en" | "fr")}>
          <option value="auto">{language.value.toUpperCase()}</option>
          <option value="en">English</option>
          <option value="fr">Français</option>
        </select>
      </label>
      <label>
        <span class="hidden">{text("shell.theme")}</span>
        <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as "auto" | "light" | "dark")}>
          <option value="auto">{text("shell.themeAuto")}</option>
          <option value="light">{text("shell.themeLight")}</option>
          <option value="dark">{text("shell.themeDark")}</option>
        </select>
      </label>
    </>
  );
}

function Who() {
  if (!about.signIn || user.value === undefined) return null;
  if (user.value === null) return <a href={address("/sign-in")}>{text("signIn.do")}</a>;
  return (
    <>
      <span class="who">{user.value.name}</span>
      <button type="button" class="plain" onClick={() => void signOut().catch(() => undefined)}>
        {text("signIn.out")}
      </button>
    </>
  );
}

function Help(props: { onClose: () => void }) {
  const keys = [
    ["/", text("help.search")],
    ["Ctrl K", text("help.jump")],
    ["↑ ↓ ← →", text("help.arrows")],
    ["p", text("help.pause")],
    ["?", text("help.help")],
    ["Esc", text("help.escape")],
  ] as const;
  return (
    <Dialog title={text("help.title")} onClose={props.onClose}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>{text("help.links")}</p>
    </Dialog>
  );
}
