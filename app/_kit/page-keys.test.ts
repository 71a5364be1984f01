import { expect, it, test } from 'vitest';
import { beginsSequence, findKey, keyNames, listKeys, type PageKeys, pressed, type Registration } from './page-keys';

const press = (key: string, changes: Partial<Parameters<typeof pressed>[0]> = {}) =>
  pressed({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...changes });

const pageKeys: PageKeys = {
  next: { keys: ['j', 'ArrowRight'], meaning: 'Next', repeats: true },
  new: { keys: ['n'], meaning: 'New event' },
  reply: { keys: ['r'], meaning: 'Reply' },
};
const frameKeys: PageKeys = {
  inbox: { keys: ['g i'], meaning: 'Inbox' },
  new: { keys: ['n'], meaning: 'New' },
  help: { keys: ['?'], meaning: 'Help' },
};

const registration = (keys: PageKeys, commands: string[], isGlobal = false): Registration => ({
  title: isGlobal ? 'Everywhere' : 'Calendar',
  isGlobal,
  keys,
  commands,
  run: () => {},
});

const frame = registration(frameKeys, ['inbox', 'new', 'help'], true);
const page = registration(pageKeys, ['next', 'new']);

test.each(['ctrlKey', 'metaKey'] as const)('with %s, a key is another one', (modifier) => {
  expect(press('r', { [modifier]: true })).toBe('Mod+r');
  expect(press('R', { [modifier]: true, shiftKey: true })).toBeNull();
  expect(press('ArrowLeft', { [modifier]: true })).toBeNull();
});

it('leaves what is pressed with Alt to the browser, and takes no modifier for a key', () => {
  expect(press('ArrowLeft', { altKey: true })).toBeNull();
  expect(press('Shift', { shiftKey: true })).toBeNull();
  expect(press('!', { shiftKey: true })).toBe('!');
});

it.each([
  ['the frame first', [frame, page]],
  ['the page first', [page, frame]],
])("lets a page's own key stand before one that works everywhere: %s", (_, registrations) => {
  expect(findKey(registrations, 'n')?.registration).toBe(page);
  expect(findKey(registrations, '?')?.registration).toBe(frame);
});

it('finds nothing for a key whose command does nothing at the moment', () => {
  expect(findKey([frame, page], 'r')).toBeUndefined();
  expect(findKey([frame, page], 'x')).toBeUndefined();
});

it('knows the first key of a sequence from others', () => {
  expect(beginsSequence([frame, page], 'g')).toBe(true);
  expect(beginsSequence([frame, page], 'n')).toBe(false);
  expect(findKey([frame, page], 'g i')?.command).toBe('inbox');
});

it('lists what works, the page first, and once', () => {
  const meanings = (registrations: Registration[]) =>
    listKeys(registrations).map(({ title, keys }) => [title, keys.map(({ meaning }) => meaning)]);
  const open = registration(pageKeys, ['reply']);
  expect(meanings([frame, page, open])).toEqual([
    ['Calendar', ['Next', 'New event', 'Reply']],
    ['Everywhere', ['Inbox', 'Help']],
  ]);
  expect(meanings([frame])).toEqual([['Everywhere', ['Inbox', 'New', 'Help']]]);
  expect(meanings([])).toEqual([]);
});

it('names keys as they stand on the keyboard', () => {
  expect(keyNames('g i', false)).toEqual(['G', 'I']);
  expect(keyNames('Mod+k', true)).toEqual(['⌘K']);
  expect(keyNames('Mod+k', false)).toEqual(['Ctrl K']);
  expect(keyNames('Escape', false)).toEqual(['Esc']);
  expect(keyNames('!', false)).toEqual(['!']);
});
