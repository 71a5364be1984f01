import { expect, test } from 'vitest';
import { completeMention, mentionAt, mentionsIn, suggestionsFor } from './mentions';

const mara = { userId: 'm', name: 'Mara Lane' };
const short = { userId: 's', name: 'Mara' };
const jo = { userId: 'j', name: 'Jo Harbor' };
const team = [short, mara, jo];

test.each([
  ['@', 1, { start: 0, query: '' }],
  ['Ask @ma', 7, { start: 4, query: 'ma' }],
  ['Ask @Mara La, please', 12, { start: 4, query: 'Mara La' }],
  ['(@jo', 4, { start: 1, query: 'jo' }],
  ['Ask @ma', 3, null],
  ['ann@quark.example', 17, null],
  ['@Mara Lane about this', 21, null],
])('finds the mention at the cursor of %j', (text, caret, mention) => {
  expect(mentionAt(text, caret)).toEqual(mention);
});

test('suggests by the start of any word of a name', () => {
  expect(suggestionsFor('la', team)).toEqual([mara]);
  expect(suggestionsFor('MARA', team)).toEqual([short, mara]);
  expect(suggestionsFor('', team)).toEqual(team);
  expect(suggestionsFor('ara', team)).toEqual([]);
});

test('completes a mention in the middle of a text', () => {
  const mention = { start: 4, query: 'ma' };
  expect(completeMention('Ask @ma about it', mention, mara)).toEqual({ text: 'Ask @Mara Lane about it', caret: 15 });
  expect(completeMention('Ask @ma', mention, mara)).toEqual({ text: 'Ask @Mara Lane ', caret: 15 });
});

test('finds who is mentioned, each once, and not by a part of a longer name', () => {
  expect(mentionsIn('@Jo Harbor: @Mara Lane and @Jo Harbor know', team)).toEqual(['m', 'j']);
  expect(mentionsIn('@Mara, ask @Mara Lane', team)).toEqual(['s', 'm']);
  expect(mentionsIn('Mara Lane knows', team)).toEqual([]);
});
