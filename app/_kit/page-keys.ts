/**
 * The keys that do something on the page at hand. A component says which it answers to, and from the same list the dialog behind `?` is
 * made: a shortcut that nobody can look up does not exist.
 */

export interface PageKey {
  /** Any of these, as `KeyboardEvent.key` has them; `g i` is one after the other, `Mod+k` is with ⌘ or Ctrl. */
  keys: readonly string[];
  meaning: string;
  /** True where holding the key down goes on. */
  repeats?: boolean;
  /** True for keys that work while somebody types, too. */
  isAnywhere?: boolean;
}

export type PageKeys<Command extends string = string> = Readonly<Record<Command, PageKey>>;

/** What a component answers to, for as long as it is there. */
export interface Registration {
  /** Under what it is listed. */
  title: string;
  /** True for what works on every page; a page's own keys come first. */
  isGlobal: boolean;
  keys: PageKeys;
  /** Those of `keys` that do something at the moment. */
  commands: readonly string[];
  run: (command: string) => void;
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const modifiers = ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock'];

/**
 * What was pressed, in the notation of `PageKey.keys`; null for what belongs to the browser. Shift is part of some keys ("!"), other
 * modifiers are only for `Mod+`.
 */
export function pressed({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string | null {
  if (altKey || modifiers.includes(key)) return null;
  if (!ctrlKey && !metaKey) return key;
  return shiftKey || key.length !== 1 ? null : `Mod+${key.toLowerCase()}`;
}

export interface Found {
  registration: Registration;
  command: string;
  key: PageKey;
}

/** What answers to a key: what belongs to the page before what works everywhere, and what came last before what was there. */
export function findKey(registrations: readonly Registration[], chord: string): Found | undefined {
  const inOrder = [...registrations].reverse().sort((a, b) => Number(a.isGlobal) - Number(b.isGlobal));
  for (const registration of inOrder) {
    for (const command of registration.commands) {
      const key = registration.keys[command];
      if (key?.keys.includes(chord)) return { registration, command, key };
    }
  }
  return undefined;
}

/** Whether a key is the first of a sequence. */
export function beginsSequence(registrations: readonly Registration[], chord: string): boolean {
  const answered = registrations.flatMap(({ keys, commands }) => commands.flatMap((command) => keys[command]?.keys ?? []));
  return answered.some((candidate) => candidate.startsWith(`${chord} `));
}

export interface KeyList {
  title: string;
  isGlobal: boolean;
  keys: PageKey[];
}

/** All keys that do something at the moment, the page's own first; each once, and none that a page's own key stands before. */
export function listKeys(registrations: readonly Registration[]): KeyList[] {
  const lists = new Map<string, KeyList>();
  const inOrder = [...registrations].sort((a, b) => Number(a.isGlobal) - Number(b.isGlobal));
  for (const { title, isGlobal, keys } of inOrder) {
    const list = lists.get(title) ?? { title, isGlobal, keys: [] };
    lists.set(title, list);
    for (const [command, key] of Object.entries(keys)) {
      const answers = key.keys.some((chord) => {
        const found = findKey(registrations, chord);
        return found !== undefined && found.registration.keys === keys && found.command === command;
      });
      if (answers && !list.keys.includes(key)) list.keys.push(key);
    }
  }
  return [...lists.values()].filter((list) => list.keys.length > 0);
}

const namesOnKeys: Record<string, string> = {
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** A key as it stands on the keyboard, one after the other where there are several: `g i` → `['G', 'I']`. */
export function keyNames(chord: string, isMac: boolean): string[] {
  return chord.split(' ').map((part) => {
    const [, letter] = /^Mod\+(.)$/.exec(part) ?? [];
    if (letter !== undefined) return isMac ? `⌘${letter.toUpperCase()}` : `Ctrl ${letter.toUpperCase()}`;
    return namesOnKeys[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}
