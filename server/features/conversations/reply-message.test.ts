import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeBody, forwardedOf, forwardSubject, quotationOf, replyHeaders, replySubject } from './reply-message';

describe('the subject of a reply', () => {
  test.each([
    ['A question', 'Re: A question'],
    ['Re: A question', 'Re: A question'],
    ['RE:A question', 'RE:A question'],
    ['AW: Eine Frage', 'AW: Eine Frage'],
    ['Re[2]: A question', 'Re[2]: A question'],
    ['Fwd: A question', 'Re: Fwd: A question'],
    ['Regarding the bike', 'Re: Regarding the bike'],
    ['  ', 'Re: your message'],
  ])('%s', (subject, expected) => {
    expect(replySubject(subject)).toBe(expected);
  });

  test('does not grow', () => {
    fc.assert(
      fc.property(fc.string(), (subject) => {
        expect(replySubject(replySubject(subject))).toBe(replySubject(subject));
      }),
    );
  });
});

const quoted = {
  subject: 'A question',
  from: { email: 'ann@quark.example', displayName: 'Ann' },
  text: 'First\n> older\n\n<b>bold</b>',
  messageIdHeader: '<last@quark.example>',
  references: ['<first@quark.example>'],
  at: '2026-11-21T09:30:00.000Z',
};

test('its headers name the whole thread', () => {
  expect(replyHeaders(quoted)).toEqual({
    inReplyTo: '<last@quark.example>',
    references: ['<first@quark.example>', '<last@quark.example>'],
  });
});

describe('its words', () => {
  test('stand alone', () => {
    const { text, html } = composeBody({ text: 'Yes.\n', html: null, signature: '', quotation: null });
    expect(text).toBe('Yes.\n');
    expect(html).toContain('Yes.');
  });

  test('are signed, and the message answered stands below as text', () => {
    const { text, html } = composeBody({
      text: 'Yes.',
      html: undefined,
      signature: 'Best\nNight shift',
      quotation: quotationOf(quoted),
    });
    expect(text).toBe(
      'Yes.\n\n-- \nBest\nNight shift\n\nOn 21 November 2026 at 09:30 UTC, Ann wrote:\n> First\n>> older\n> \n> <b>bold</b>\n',
    );
    expect(html).toContain('Night shift');
    expect(html).toContain('<blockquote type="cite">');
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
  });

  test('are sent as HTML as given', () => {
    expect(composeBody({ text: 'Yes', html: '<p>Yes!</p>', signature: '', quotation: null }).html).toBe('<p>Yes!</p>');
  });
});

describe('a forwarded message', () => {
  test.each([
    ['A question', 'Fwd: A question'],
    ['Fwd: A question', 'Fwd: A question'],
    ['FW: A question', 'FW: A question'],
    ['WG: Eine Frage', 'WG: Eine Frage'],
    ['Re: A question', 'Fwd: Re: A question'],
    ['Forwarding', 'Fwd: Forwarding'],
    [' ', 'Fwd:'],
  ])('with the subject %s is sent as %s', (subject, expected) => {
    expect(forwardSubject(subject)).toBe(expected);
  });

  test('follows the text with its headers, and nothing of it is markup', () => {
    const to = [
      { email: 'desk@here.example', displayName: null },
      { email: 'bob@quark.example', displayName: 'Bob' },
    ];
    const quotation = forwardedOf({ ...quoted, to, cc: [] });
    const { text, html } = composeBody({ text: 'See below.', html: null, signature: '', quotation });
    expect(text).toBe(
      [
        'See below.',
        '',
        '---------- Forwarded message ----------',
        'From: Ann <ann@quark.example>',
        'Date: 21 November 2026 at 09:30 UTC',
        'Subject: A question',
        'To: desk@here.example, Bob <bob@quark.example>',
        '',
        'First',
        '> older',
        '',
        '<b>bold</b>',
        '',
      ].join('\n'),
    );
    expect(html).toMatch(/Ann &lt;.*ann@quark\.example.*&gt;/);
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
  });

  test('needs no text of its own', () => {
    const { text, html } = composeBody({
      text: '',
      html: null,
      signature: '',
      quotation: { text: 'below', html: '<p>below</p>' },
    });
    expect({ text, html }).toEqual({ text: 'below\n', html: '<p>below</p>' });
  });
});
