import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { previewOf, splitQuoted } from './mail-text';

const quote = '> Shall we meet?\n> Yours, Bob';

describe('what a message repeats at its end is cut off', () => {
  test.each([
    ['English', 'On Mon, Nov 3, 2025 at 10:12 AM Bob <bob@example.com> wrote:'],
    ['English, broken over two lines', 'On Mon, Nov 3, 2025 at 10:12 AM Bob <bob@example.com>\nwrote:'],
    ['German', 'Am 03.11.2025 um 10:12 schrieb Bob <bob@example.com>:'],
    ['German, past perfect', 'Am 3. November 2025 hat Bob folgendes geschrieben:'],
    ['German, name first', 'Bob <bob@example.com> schrieb am Mo., 3. Nov. 2025, 10:12:'],
    ['French', 'Le lun. 3 nov. 2025 à 10:12, Bob <bob@example.com> a écrit :'],
    ['Spanish', 'El lun, 3 nov 2025 a las 10:12, Bob (<bob@example.com>) escribió:'],
    ['name first', 'Bob <bob@example.com> wrote:'],
  ])('%s', (_language, attribution) => {
    const text = `Yes, at noon.\n\n${attribution}\n${quote}\n`;
    expect(splitQuoted(text)).toEqual({ fresh: 'Yes, at noon.\n\n', quoted: `${attribution}\n${quote}\n` });
    expect(previewOf(text)).toBe('Yes, at noon.');
  });

  test.each([
    ['a separator', '-----Original Message-----\nFrom: Bob\nSent: Monday\n\nShall we meet?'],
    ['a German separator', '-----Ursprüngliche Nachricht-----\nVon: Bob\n\nShall we meet?'],
    ['a header block', 'From: Bob <bob@example.com>\nSent: Monday, November 3, 2025\nTo: Ada\n\nShall we meet?'],
    ['a bold header block', '*Von:* Bob\n*Gesendet:* Montag, 3. November 2025\n\nShall we meet?'],
    ['quotes without attribution', quote],
    ['unmarked quotes', 'On Mon, Nov 3, 2025, Bob <bob@example.com> wrote:\n\nShall we meet?'],
  ])('%s', (_form, quoted) => {
    expect(splitQuoted(`Yes.\n\n${quoted}`)).toEqual({ fresh: 'Yes.\n\n', quoted });
  });
});

describe('a text is left whole', () => {
  test.each([
    ['answers between quotes', 'On 3 Nov 2025, bob@example.com wrote:\n> One?\nYes.\n> Two?\nNo.\n'],
    ['an answer between quotes, the last unanswered', '> One?\nYes.\n> Two?\n'],
    ['an answer below the quote', 'On 3 Nov 2025, bob@example.com wrote:\n> One?\n\nYes.\n'],
    ['a sentence that ends like an attribution', 'On the form my colleague wrote:\nnothing at all.'],
    ['a From of its own', 'From: Berlin\nto Paris in a day'],
    ['nothing quoted', 'Hello\n\nAda'],
    ['nothing', ''],
  ])('%s', (_form, text) => {
    expect(splitQuoted(text)).toEqual({ fresh: text, quoted: '' });
  });
});

describe('the preview', () => {
  test('leaves quotes, attributions and the signature out, also between answers', () => {
    expect(previewOf('On 3 Nov 2025, bob@example.com wrote:\n> One?\nYes.\n> Two?\nNo.\n-- \nAda\n+49 30 123')).toBe('Yes. No.');
  });

  test('is of the whole where nothing is new', () => {
    expect(previewOf(`On 3 Nov 2025, bob@example.com wrote:\n${quote}`)).toMatch(
      /^On 3 Nov 2025, bob@example.com wrote: > Shall/,
    );
    expect(previewOf('-- \nAda')).toBe('-- Ada');
    expect(previewOf(' \n\t\n')).toBe('');
  });

  test('is one line of at most 200, not cut inside a character', () => {
    expect(previewOf('a\tb\n\n c')).toBe('a b c');
    expect(previewOf(`a${'💌'.repeat(150)}`)).toBe(`a${'💌'.repeat(99)}…`);
    expect(previewOf('x'.repeat(200))).toBe('x'.repeat(200));
  });
});

const line = fc.oneof(
  fc.constantFrom(
    '',
    '> ',
    '>> q',
    'On 1 Jan 2025, a@b.c wrote:',
    'Am 1.1. schrieb a@b.c:',
    'From: a',
    'Sent: b',
    '-- ',
    'yes',
    'Le 3',
    'a écrit :',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const text = fc.array(line, { maxLength: 30 }).map((list) => list.join('\n'));

test('the two parts are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 300 })), (any) => {
      const { fresh, quoted } = splitQuoted(any);
      expect(fresh + quoted).toBe(any);
      const preview = previewOf(any);
      expect(preview.length).toBeLessThanOrEqual(200);
      expect(preview).not.toMatch(/[\n\r\t]/);
      expect(preview === '').toBe(any.trim() === '');
    }),
    { numRuns: 1000 },
  );
});

test('an answer above a quotation is what is fresh, whatever it says', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.array(word, { minLength: 1, maxLength: 5 }), (words, old) => {
      const quoted = `On 3 Nov 2025, bob@example.com wrote:\n${old.map((each) => `> ${each}\n`).join('')}`;
      expect(splitQuoted(`${words.join('\n')}\n\n${quoted}`)).toEqual({ fresh: `${words.join('\n')}\n\n`, quoted });
    }),
  );
});

test.each(['\n', '>', '> \n', 'On ', 'On 1@\n', 'On 1 @ wrote: ', 'From: a\n', '- ', ' ', 'a@b wrote:\n'])(
  'a text of nothing but %j ends soon',
  (piece) => {
    const long = piece.repeat(1_000_000 / piece.length);
    const { fresh, quoted } = splitQuoted(long);
    expect(fresh.length + quoted.length).toBe(long.length);
    expect(previewOf(long).length).toBeLessThanOrEqual(200);
  },
);
