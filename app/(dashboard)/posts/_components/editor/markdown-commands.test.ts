import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import { expect, it } from 'vitest';
import {
  cycleHeading,
  imageMarkdown,
  insertLink,
  insertTable,
  toggleCode,
  toggleList,
  toggleMark,
  toggleQuote,
} from './markdown-commands';

/**
 * Runs commands on a text whose selection is between ‹ and ›, or whose caret is ‹›, and returns the result in the same
 * notation.
 */
function after(text: string, ...commands: StateCommand[]): string {
  const from = text.indexOf('‹');
  const to = text.indexOf('›') - 1;
  let state = EditorState.create({ doc: text.replace(/[‹›]/g, ''), selection: EditorSelection.single(from, to) });
  for (const command of commands) {
    command({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
  }
  const { main } = state.selection;
  const doc = state.doc.toString();
  return `${doc.slice(0, main.from)}‹${doc.slice(main.from, main.to)}›${doc.slice(main.to)}`;
}

it.each([
  ['a ‹word› b', 'a **‹word›** b'],
  ['a wo‹›rd b', 'a **‹word›** b'],
  ['a ‹ word ›b', 'a  **‹word›** b'],
  ['a **‹word›** b', 'a ‹word› b'],
  ['a ‹**word**› b', 'a ‹word› b'],
  ['a *‹word›* b', 'a ***‹word›*** b'],
  ['a ***‹word›*** b', 'a *‹word›* b'],
  ['‹›', '**‹›**'],
])('strengthens %j to %j', (before, expected) => expect(after(before, toggleMark('**'))).toBe(expected));

it.each([
  ['a ‹word› b', 'a *‹word›* b'],
  ['a *‹word›* b', 'a ‹word› b'],
  ['a **‹word›** b', 'a ***‹word›*** b'],
  ['a ***‹word›*** b', 'a **‹word›** b'],
])('emphasises %j to %j', (before, expected) => expect(after(before, toggleMark('*'))).toBe(expected));

it.each([
  ['see ‹here›', 'see [here](‹›)'],
  ['see ‹https://a.example/b›', 'see [‹›](https://a.example/b)'],
  ['see ‹›', 'see [‹›]()'],
])('links %j as %j', (before, expected) => expect(after(before, insertLink)).toBe(expected));

it('walks through the levels of headings and back to none', () => {
  expect(after('Wh‹›y', cycleHeading)).toBe('## Wh‹›y');
  expect(after('Wh‹›y', cycleHeading, cycleHeading)).toBe('### Wh‹›y');
  expect(after('Wh‹›y', cycleHeading, cycleHeading, cycleHeading)).toBe('Wh‹›y');
});

it('makes lists of lines, of one list another, and lines again', () => {
  expect(after('‹one\n\ntwo›', toggleList('bullet'))).toBe('- ‹one\n\n- two›');
  expect(after('‹one\ntwo›', toggleList('bullet'), toggleList('number'))).toBe('1. ‹one\n2. two›');
  expect(after('‹one\ntwo›', toggleList('number'), toggleList('number'))).toBe('‹one\ntwo›');
  expect(after('‹›', toggleList('bullet'))).toBe('- ‹›');
});

it('quotes lines and takes the quote away', () => {
  expect(after('‹one\ntwo›', toggleQuote)).toBe('> ‹one\n> two›');
  expect(after('‹one\ntwo›', toggleQuote, toggleQuote)).toBe('‹one\ntwo›');
});

it('marks code in a line, and fences lines', () => {
  expect(after('run ‹npm start› now', toggleCode)).toBe('run `‹npm start›` now');
  expect(after('‹one\ntwo›', toggleCode)).toBe('```\n‹one\ntwo›\n```');
  expect(after('text\n\n‹›', toggleCode)).toBe('text\n\n```\n‹›\n```\n');
});

it('puts a table between blank lines and selects its first heading', () => {
  expect(after('te‹›xt\nmore', insertTable)).toMatch(/^text\n\n\| ‹Column› \| Column \|\n.*\n.*\n\nmore$/);
});

it('describes a picture in one line, without ending the description early', () => {
  expect(imageMarkdown('The front wheel,\n cleaned', '/x.webp')).toBe('![The front wheel, cleaned](/x.webp)');
  expect(imageMarkdown('a]b\\', '/x.webp')).toBe('![a\\]b\\\\](/x.webp)');
  expect(imageMarkdown('', '/x.webp')).toBe('![](/x.webp)');
});
