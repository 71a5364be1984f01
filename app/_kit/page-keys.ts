/**
 * The shortcuts of the current page. A component registers those it handles, and the dialog behind `?` lists the same
 * registrations, so that every shortcut is documented.
 */

export interface PageKey {
  /** Alternatives, as in `KeyboardEvent.key`; `g i` is a sequence, `Mod+k` is with ⌘ or Ctrl. */
  keys: readonly string[];
  meaning: string;
  /** True if it repeats while the key is held down. */
  repeats?: boolean;
  /** True for shortcuts that also work while typing. */
  isAnywhere?: boolean;
}

export type PageKeys<Command extends string = string> = Readonly<Record<Command, PageKey>>;

/** The shortcuts of a mounted component. */
export interface Registration {
  /** The heading of its list. */
  title: string;
  /** True for shortcuts of every page; a page's own come first. */
  isGlobal: boolean;
  keys: PageKeys;
  /** The commands of `keys` that are currently available. */
  commands: readonly string[];
  run: (command: string) => void;
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const modifiers = ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock'];

/**
 * The pressed key in the notation of `PageKey.keys`; null for keys left to the browser. Shift is part of some keys ("!"), other
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

/** Finds the handler of a key: the page's own before global ones, later registrations before earlier ones. */
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

/** All available shortcuts, the page's own first; each once, and none that a page's own key overrides. */
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

/** The labels of a key as on the keyboard, one for each key of a sequence: `g i` → `['G', 'I']`. */
export function keyNames(chord: string, isMac: boolean): string[] {
  return chord.split(' ').map((part) => {
    const [, letter] = /^Mod\+(.)$/.exec(part) ?? [];
    if (letter !== undefined) return isMac ? `⌘${letter.toUpperCase()}` : `Ctrl ${letter.toUpperCase()}`;
    return namesOnKeys[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}
