import { expect, it } from 'vitest';
import { mailRecords } from './mail-records';

const records = (host: string | null, server: string | null) =>
  mailRecords({ domain: 'harborlane.example', host, outbound: { server } });

it('points the domain at this installation', () => {
  expect(records('desk.example.com', null)).toMatchObject({
    mx: 'harborlane.example. 3600 IN MX 10 desk.example.com.',
    isHostKnown: true,
  });
  expect(records(null, null).isHostKnown).toBe(false);
});

it.each([
  [null, 'mx'],
  ['localhost:1025', 'mx'],
  ['mail.example.com:587', 'a:mail.example.com'],
  ['mail.example.com', 'a:mail.example.com'],
  ['203.0.113.7:25', 'ip4:203.0.113.7'],
  ['127.0.0.1:1025', 'mx'],
  ['10.0.0.5:25', 'mx'],
  ['10.example.com:25', 'a:10.example.com'],
  ['[2001:db8::1]:25', 'mx'],
])('lets %s send', (server, mechanism) => {
  expect(records(null, server).spf).toBe(`harborlane.example. 3600 IN TXT "v=spf1 ${mechanism} ~all"`);
});
