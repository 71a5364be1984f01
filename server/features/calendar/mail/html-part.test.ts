import { describe, expect, test } from 'vitest';
import { attribute, type HtmlContent, type HtmlElement, parseHtml } from '@/server/platform/html/html-tree';
import { event, guest, parties, start } from '@/server/testing/calendar-samples/mails';
import { composeCancellation, composeInvitation, composeReminder, composeUpdate } from './compose';
import type { MailedEvent, MailParties } from './mailed-event';

function elements(html: string): HtmlElement[] {
  const inside = (node: HtmlContent | { type: string }): HtmlElement[] =>
    node.type === 'element' ? [node as HtmlElement, ...(node as HtmlElement).children.flatMap(inside)] : [];
  return parseHtml(html).children.flatMap(inside);
}

const textOf = (node: HtmlContent): string =>
  node.type === 'text' ? node.value : node.type === 'element' ? node.children.map(textOf).join('') : '';

const links = (html: string) =>
  elements(html)
    .filter(({ tagName }) => tagName === 'a')
    .map((element) => [textOf(element), attribute(element, 'href')]);

const bait = `"><img src=x onerror=alert(1)><script>alert(1)</script>' onclick='x`;
const hostile: MailedEvent = {
  ...event,
  title: `Title${bait}`,
  description: `Text${bait}\njavascript:alert(1)\n> https://x.example/"onmouseover="alert(1)\n<a href="javascript:alert(1)">x</a>`,
  location: `javascript:alert(1)${bait}`,
  meeting: { provider: 'custom', url: `javascript:alert(1)//${bait}`, password: bait },
};
const hostileParties: MailParties = {
  ...parties,
  organizerName: bait,
  businessName: `Business${bait}`,
  organizerEmail: `"${bait}"@x.example`,
  invitee: { email: `ann${bait}@x.example`, name: bait },
  guests: [guest(`g${bait}@x.example`), guest('h@x.example', { name: bait })],
  signature: bait,
};

const mails = (mailed: MailedEvent, all: MailParties) => [
  composeInvitation(mailed, all),
  composeUpdate(mailed, { ...mailed, title: `Old${mailed.title}`, location: `Old${mailed.location}`, meeting: null }, all),
  composeCancellation(mailed, all, { reason: 'cancelled' }),
  composeCancellation(mailed, all, { reason: 'removed' }),
  composeReminder(mailed, all, { now: start, dashboardUrl: null }),
  composeReminder(mailed, all, { now: start, dashboardUrl: 'https://desk.example/calendar/e1' }),
];

describe('what people type stays text', () => {
  test.each(mails(hostile, hostileParties).map(({ subject, html }) => [subject.slice(0, 12), html]))('%s', (_, html) => {
    const known = /^(html|head|body|meta|title|style|div|table|tbody|tr|td|p|br|h1|h2|a|s|span|strong|blockquote)$/;
    for (const element of elements(html)) {
      expect(element.tagName).toMatch(known);
      expect(Object.keys(element.properties).filter((name) => /^on/i.test(name))).toEqual([]);
    }
    for (const [, href] of links(html)) expect(href).toMatch(/^https?:\/\//);
    expect(html).not.toMatch(/<(img|script|link|iframe|object|form)/i);
  });

  test('and is shown as it was typed', () => {
    const [invitation] = mails(hostile, hostileParties);
    const heading = elements(invitation?.html ?? '').find(({ tagName }) => tagName === 'h1');
    expect(heading && textOf(heading)).toBe(hostile.title);
    expect(invitation?.text).toContain(`Join the meeting: ${hostile.meeting?.url}`);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example/', ' \tjava\nscript:alert(1)', 'zoom'])(
    'no link to %j',
    (url) => {
      const mail = composeInvitation(
        { ...event, description: null, location: url, meeting: { provider: 'zoom', url } },
        { ...parties, answerUrl: url },
      );
      expect(links(mail.html)).toEqual([]);
      expect(mail.text).not.toContain('Will you attend?');
      expect(
        links(
          composeReminder(
            { ...event, description: null, meeting: null },
            { ...parties, answerUrl: null },
            { now: start, dashboardUrl: url },
          ).html,
        ),
      ).toEqual([]);
    },
  );
});

describe('links', () => {
  test('of an invitation, in their order', () => {
    const answerUrl = 'https://desk.example/rsvp/t?lang=en&answer=x';
    expect(
      links(composeInvitation({ ...event, location: 'https://maps.example/a?b&c' }, { ...parties, answerUrl }).html),
    ).toEqual([
      ['https://maps.example/a?b&c', 'https://maps.example/a?b&c'],
      ['Join with Zoom', 'https://zoom.example/j/123?pwd=x'],
      ['Accept', 'https://desk.example/rsvp/t?lang=en&answer=accepted'],
      ['Maybe', 'https://desk.example/rsvp/t?lang=en&answer=tentative'],
      ['Decline', 'https://desk.example/rsvp/t?lang=en&answer=declined'],
      [answerUrl, answerUrl],
      ['https://harbor.example/agenda?q=4&lang=en', 'https://harbor.example/agenda?q=4&lang=en'],
    ]);
  });

  test('of mail addresses in a description are left to the mail program', () => {
    const { html } = composeInvitation({ ...event, description: 'Write to ann@quark.example.' }, parties);
    expect(html).not.toContain('mailto:');
    expect(html).toContain('Write to ann@quark.example.');
  });

  test("of the owner's reminder lead to the dashboard, not to an answer", () => {
    const { html } = composeReminder(event, parties, { now: start, dashboardUrl: 'https://desk.example/calendar/e1' });
    expect(links(html)[0]).toEqual(['Open in dashboard', 'https://desk.example/calendar/e1']);
    expect(html).not.toContain('rsvp');
  });

  test('of a cancellation do not exist', () => {
    expect(links(composeCancellation(event, parties, { reason: 'cancelled' }).html)).toEqual([]);
  });
});

describe('the document', () => {
  test.each(mails(event, parties).map(({ subject, html }) => [subject.split(':')[0], html]))('of %s', (_, html) => {
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    // No external resources, and far below Gmail's 102 kB.
    expect(html).not.toMatch(/\bsrc=|url\(|@import|@font-face/);
    expect(html.length).toBeLessThan(30_000);
    const tables = elements(html).filter(({ tagName }) => tagName === 'table');
    expect(tables.every((element) => attribute(element, 'role') === 'presentation')).toBe(true);
    expect(elements(html).filter(({ tagName }) => tagName === 'h1')).toHaveLength(1);
    for (const [text] of links(html)) expect(text).not.toBe('');
  });

  test('every colour has its counterpart for dark screens', () => {
    const [, sheet = ''] =
      /@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(composeInvitation(event, parties).html) ?? [];
    for (const { html } of mails(event, parties)) {
      for (const element of elements(html)) {
        if (!/color:/.test(attribute(element, 'style'))) continue;
        const role = attribute(element, 'className')
          .split(' ')
          .find((name) => sheet.includes(`.${name}{`));
        expect(role, `${element.tagName} ${attribute(element, 'style')}`).toBeDefined();
      }
    }
  });

  test('the answer given before is marked, and the description keeps its lines', () => {
    const answered = { ...parties, guests: [guest('ANN@quark.example', { response: 'declined' })] };
    const { html } = composeInvitation(event, answered);
    expect(html).toContain('Your response: no. You can still change it.');
    expect(html).toMatch(/class="fd-tinted"[^>]*><a href="[^"]*answer=declined"/);
    expect(html).toContain('We go through the figures.<br>\nBring questions.');
  });

  test('the words beside the subject come first', () => {
    const { html } = composeInvitation(event, parties);
    expect(html).toMatch(
      /<body[^>]*>\n<div style="display:none[^"]*">Tuesday, 24 November 2026, 09:00–10:00 \(Europe\/Berlin, GMT\+1\) · Harbor Studio/,
    );
  });
});
