import { useEffect, useEffectEvent } from 'react';
import { replayKeys } from './overlay/replay-input';
import { beginsSequence, findKey, type KeyList, listKeys, type PageKeys, pressed, type Registration } from './page-keys';
import { isMac } from './use-is-mac';

const registrations: Registration[] = [];

/** How long a sequence waits for its second key, in milliseconds. */
const sequenceMilliseconds = 1_500;

/** The first key of a sequence. Its time is that of its handling: people on a slow page wait for it. */
let begun: { chord: string; at: number } | null = null;

/** What was pressed for a part of the page while it was loading, while that part registers its shortcuts. */
let early: { keys: PageKeys; command: string } | null = null;

const overlays = ':is([role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"])';

/** React Aria's mark of an overlay that is closed, and only fades out. */
const closing = '[data-exiting]';

/** Whether a key press is meant for a field, or for an overlay on the page. */
function isKeyTaken(target: EventTarget | null): boolean {
  if (document.querySelector(`${overlays}:not(${closing}, ${closing} *)`)) return true;
  if (target instanceof HTMLElement && target.closest(closing)) return false;
  // A segment has the focus after a click on it, but takes no letters.
  if (target instanceof HTMLInputElement && ['radio', 'checkbox'].includes(target.type)) return false;
  return target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
}

function onKeyDown(event: KeyboardEvent): void {
  // On macOS, Ctrl with a letter moves the text cursor.
  if (event.defaultPrevented || event.isComposing || (event.ctrlKey && isMac())) return;
  const key = pressed(event);
  if (key === null) return;
  const before = begun && event.timeStamp - begun.at < sequenceMilliseconds ? `${begun.chord} ` : '';
  begun = null;
  const found = findKey(registrations, before + key);
  if (!found?.key.isAnywhere && isKeyTaken(event.target)) return;
  // An alert dialog must be answered first.
  if (found?.key.isAnywhere && document.querySelector('[role="alertdialog"]')) return;
  if (!found) {
    if (before === '' && !event.repeat && beginsSequence(registrations, key)) begun = { chord: key, at: performance.now() };
    // An unknown second key must not trigger another shortcut.
    if (before !== '') event.preventDefault();
    return;
  }
  // Radios, tabs and the like handle arrow keys themselves.
  if (key.startsWith('Arrow') && event.target instanceof Element && event.target.closest('[role], fieldset')) return;
  if (event.repeat && !found.key.repeats) return;
  event.preventDefault();
  found.registration.run(found.command);
}

function register(registration: Registration): () => void {
  if (registrations.length === 0) document.addEventListener('keydown', onKeyDown);
  registrations.push(registration);
  // The frame registers several lists at once.
  if (registration.isGlobal) queueMicrotask(replayKeys);
  return () => {
    registrations.splice(registrations.indexOf(registration), 1);
    if (registrations.length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

/** Runs what was pressed for these shortcuts before they were registered, if anything. */
function runEarly({ keys, commands, run }: Registration): void {
  if (early?.keys !== keys || !commands.includes(early.command)) return;
  const { command } = early;
  early = null;
  // After the other effects of the part: one of them marks what is opened as read.
  queueMicrotask(() => run(command));
}

/** The shortcuts that are currently available, for the dialog that lists them. */
export function currentKeys(): KeyList[] {
  return listKeys(registrations);
}

interface PageKeysOptions {
  /** True for shortcuts of every page. */
  isGlobal?: boolean;
}

/**
 * Runs shortcuts, unless they are typed into a field or an overlay is open, and lists them in `?`.
 *
 * @param title heading of the list
 * @param keys must be the same object each time
 * @param handlers the handlers of `keys` that are currently available
 */
export function usePageKeys<Command extends string>(
  title: string,
  keys: PageKeys<Command>,
  handlers: Partial<Record<Command, () => void>>,
  { isGlobal = false }: PageKeysOptions = {},
): void {
  const run = useEffectEvent((command: string) => handlers[command as Command]?.());
  const answered = (Object.keys(keys) as Command[]).filter((command) => handlers[command]).join(' ');
  useEffect(() => {
    const commands = answered.split(' ').filter((command) => command !== '');
    const registration = { title, isGlobal, keys, commands, run: (command: string) => run(command) };
    runEarly(registration);
    return register(registration);
  }, [title, isGlobal, keys, answered]);
}

/**
 * Holds shortcuts for a part of the page that is loading: they run once that part has registered them with `usePageKeys`, instead of
 * getting lost or acting on what it replaces.
 *
 * @param commands those of `keys` that it will register; must be the same array each time
 * @param loading identifies the part; null if nothing is loading
 */
export function useHeldKeys<Command extends string>(
  title: string,
  keys: PageKeys<Command>,
  commands: readonly Command[],
  loading: string | null,
): void {
  useEffect(() => {
    if (loading === null) return;
    let pressedEarly: typeof early = null;
    const hold = (command: string) => {
      pressedEarly = { keys, command };
    };
    const unregister = register({ title, isGlobal: false, keys, commands, run: hold });
    return () => {
      unregister();
      // Effects of one commit run together: the part registers its shortcuts now, and what comes later was not meant.
      early = pressedEarly;
      queueMicrotask(() => {
        early = null;
      });
    };
  }, [title, keys, commands, loading]);
}
