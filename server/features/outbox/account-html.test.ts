import { expect, test } from 'vitest';
import { addressCodeMail } from '../addresses/address-code-mail';
import { removedMail } from '../team/team-mails';
import { accountHtml } from './account-html';
import { keyCreatedMail, resetPasswordMail } from './account-notices.service';

const key = { name: 'Website', prefix: 'sk_live_', last4: 'a1b2' };

test('an email about a business is headed by its name, and one about an account by the product’s', () => {
  expect(accountHtml(keyCreatedMail('en', 'Harbor <Lane>', key))).toContain('>Harbor &lt;Lane&gt;</p>');
  expect(accountHtml(removedMail('fr', 'Harbor'))).toMatch(/<html lang="fr">[\s\S]*>Harbor<\/p>/);
  expect(accountHtml(resetPasswordMail('de', 'ann@quark.example', { url: 'https://desk.example/reset/1' }))).toMatch(
    /<html lang="de">[\s\S]*>Frontdesk<\/p>/,
  );
});

test('a link can be clicked and read', () => {
  const url = 'https://desk.example/reset/1?a=b&c=d';
  expect(accountHtml(resetPasswordMail('en', 'ann@quark.example', { url }))).toMatch(
    /href="https:\/\/desk\.example\/reset\/1\?a=b&amp;c=d">https:\/\/desk\.example\/reset\/1\?a=b&amp;c=d<\/a>/,
  );
});

test('a code is large, and no other number is', () => {
  const about = { handle: 'harbor', address: 'sales@harbor.example', code: '04815162', minutes: 60, attempts: 5 };
  const html = accountHtml(addressCodeMail('en', about));
  expect(html.match(/font:600 32px[^>]*>([^<]*)</g)).toEqual([expect.stringMatching(/>04815162<$/)]);
});

test('what people typed stays text', () => {
  const bait = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
  const html = accountHtml(keyCreatedMail('en', bait, { ...key, name: bait }));
  expect(html).not.toMatch(/<(img|script)/i);
});
