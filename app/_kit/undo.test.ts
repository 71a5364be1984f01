import { expect, it } from 'vitest';
import { offerUndo, undoLast } from './undo';

it('undoes the last thing that is still offered, and then the one before', () => {
  const undone: string[] = [];
  const closed = new Set<string>();
  const offer = (name: string) => offerUndo({ undo: () => undone.push(name), isOpen: () => !closed.has(name) });
  for (const name of ['first', 'second', 'third']) offer(name);
  closed.add('third');
  undoLast();
  undoLast();
  undoLast();
  expect(undone).toEqual(['second', 'first']);
});
