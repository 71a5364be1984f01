import { type ChangeSpec, EditorSelection, type EditorState, type SelectionRange, type StateCommand } from '@codemirror/state';

/** Markdown commands of the toolbar and its shortcuts. Each is one step of the undo history. */

function run(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length++;
  return length;
}

const reversed = (text: string) => [...text].reverse().join('');

/** The range without white space and marks at its ends; for an empty one, the word at the caret. */
function coreOf(state: EditorState, range: SelectionRange, mark: string): { from: number; to: number } {
  let { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
  const at = (position: number) => state.sliceDoc(position, position + 1);
  while (from < to && /\s/.test(at(from))) from++;
  while (to > from && /\s/.test(at(to - 1))) to--;
  while (to - from >= 2 && at(from) === mark && at(to - 1) === mark) {
    from++;
    to--;
  }
  return { from, to };
}

/**
 * Puts a mark around each selection, or removes it. One star is emphasis and two are strong, so three are both.
 *
 * @param mark '**', '*' or '`'
 */
export function toggleMark(mark: '**' | '*' | '`'): StateCommand {
  const sign = mark.charAt(0);
  const size = mark.length;
  return ({ state, dispatch }) => {
    const spec = state.changeByRange((range) => {
      const { from, to } = coreOf(state, range, sign);
      const around = Math.min(
        run(reversed(state.sliceDoc(Math.max(0, from - 3), from)), sign),
        run(state.sliceDoc(to, to + 3), sign),
      );
      const isMarked = sign === '*' && size === 1 ? around % 2 === 1 : around >= size;
      if (isMarked) {
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        };
      }
      const changes = [
        { from, insert: mark },
        { from: to, insert: mark },
      ];
      return { changes, range: EditorSelection.range(from + size, to + size) };
    });
    dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/** Makes each selection a link, with the caret where the rest is typed. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const spec = state.changeByRange((range) => {
    const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
    const text = state.sliceDoc(from, to);
    const isAddress = /^https?:\/\/\S+$/i.test(text);
    const insert = isAddress ? `[](${text})` : `[${text}]()`;
    const caret = isAddress || text === '' ? from + 1 : from + insert.length - 1;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(caret) };
  });
  dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
  return true;
};

type LineChange = (text: string, index: number) => string;

/** Rewrites every line that a selection touches; blank ones only if there are no others. */
function changeLines(decide: (lines: readonly string[]) => LineChange): StateCommand {
  return ({ state, dispatch }) => {
    const numbers = new Set<number>();
    for (const { from, to } of state.selection.ranges) {
      for (let number = state.doc.lineAt(from).number; number <= state.doc.lineAt(to).number; number++) numbers.add(number);
    }
    const all = [...numbers].map((number) => state.doc.line(number));
    const written = all.filter((line) => line.text.trim() !== '');
    const lines = written.length > 0 ? written : all;
    const change = decide(lines.map(({ text }) => text));
    const changes: ChangeSpec[] = [];
    for (const [index, { from, to, text }] of lines.entries()) {
      const insert = change(text, index);
      // Only the beginning of a line differs, so a caret behind it moves along.
      let same = 0;
      while (same < text.length && same < insert.length && text.at(-1 - same) === insert.at(-1 - same)) same++;
      changes.push({ from, to: to - same, insert: insert.slice(0, insert.length - same) });
    }
    const set = state.changes(changes);
    dispatch(
      state.update({
        changes: set,
        selection: state.selection.map(set, 1),
        userEvent: 'input',
        scrollIntoView: true,
      }),
    );
    return true;
  };
}

/** Cycles between none, second and third level; the first level is the title's. */
export const cycleHeading: StateCommand = changeLines((lines) => {
  const [level = ''] = /^#{1,6}(?= )/.exec(lines[0] ?? '') ?? [];
  const next = level === '' ? '## ' : level === '##' ? '### ' : '';
  return (text) => next + text.replace(/^#{1,6} +/, '');
});

const listMark = /^(\s*)(?:[-*+]|\d+[.)]) +(?:\[[ xX]\] +)?/;

/** Toggles list items. A list of the other kind is converted. */
export function toggleList(kind: 'bullet' | 'number'): StateCommand {
  const own = kind === 'bullet' ? /^\s*[-*+] / : /^\s*\d+[.)] /;
  return changeLines((lines) => {
    if (lines.every((text) => own.test(text))) return (text) => text.replace(listMark, '$1');
    return (text, index) => {
      const indent = /^\s*/.exec(text)?.[0] ?? '';
      return `${indent}${kind === 'bullet' ? '-' : `${index + 1}.`} ${text.replace(listMark, '$1').trimStart()}`;
    };
  });
}

export const toggleQuote: StateCommand = changeLines((lines) =>
  lines.every((text) => /^\s*>/.test(text)) ? (text) => text.replace(/^\s*> ?/, '') : (text) => `> ${text}`,
);

/**
 * The change that inserts a separate block below the line of a position, or on it if it is blank, with a blank line on either
 * side.
 *
 * @returns also `start`, where the block begins afterwards
 */
export function blockChange(
  state: EditorState,
  position: number,
  block: string,
): { changes: { from: number; to: number; insert: string }; start: number } {
  const line = state.doc.lineAt(position);
  const isBlank = line.text.trim() === '';
  const previous = isBlank && line.number > 1 ? state.doc.line(line.number - 1).text : '';
  const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : null;
  const before = isBlank ? (previous.trim() === '' ? '' : '\n') : '\n\n';
  const after = next === null ? '\n' : next.trim() === '' ? '' : '\n';
  const from = isBlank ? line.from : line.to;
  return { changes: { from, to: line.to, insert: `${before}${block}${after}` }, start: from + before.length };
}

/** @param caret the selection afterwards, relative to the beginning of the block */
function insertBlock(state: EditorState, block: string, caret: { from: number; to: number }) {
  const { changes, start } = blockChange(state, state.selection.main.to, block);
  const selection = EditorSelection.single(start + caret.from, start + caret.to);
  return state.update({ changes, selection, userEvent: 'input', scrollIntoView: true });
}

/** Inline code for a part of a line; a fenced block for lines or an empty selection. */
export const toggleCode: StateCommand = (target) => {
  const { state, dispatch } = target;
  const { main } = state.selection;
  const first = state.doc.lineAt(main.from);
  const last = state.doc.lineAt(main.to);
  if (first.number === last.number && (!main.empty || state.wordAt(main.head))) return toggleMark('`')(target);
  if (main.empty) dispatch(insertBlock(state, '```\n\n```', { from: 4, to: 4 }));
  else {
    const text = state.sliceDoc(first.from, last.to);
    dispatch(
      state.update({
        changes: { from: first.from, to: last.to, insert: `\`\`\`\n${text}\n\`\`\`` },
        selection: EditorSelection.single(first.from + 4, first.from + 4 + text.length),
        userEvent: 'input',
        scrollIntoView: true,
      }),
    );
  }
  return true;
};

const table = '| Column | Column |\n| ------ | ------ |\n|        |        |';

export const insertTable: StateCommand = ({ state, dispatch }) => {
  dispatch(insertBlock(state, table, { from: 2, to: 8 }));
  return true;
};

/** A picture in Markdown. */
export function imageMarkdown(altText: string, url: string): string {
  return `![${altText.replace(/\s+/g, ' ').replace(/[\\[\]]/g, '\\$&')}](${url})`;
}
