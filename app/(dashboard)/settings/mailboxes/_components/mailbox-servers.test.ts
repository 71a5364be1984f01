import { expect, test } from 'vitest';
import { serverOfAddress } from './mailbox-servers';

test.each([
  ['Shop@Gmail.com', 'imap.gmail.com'],
  ['ann@outlook.co.uk', 'outlook.office365.com'],
  ['ann@quark.example', 'imap.quark.example'],
  [' ann@mail.quark.example ', 'imap.mail.quark.example'],
  ['ann@quark', ''],
  ['ann', ''],
  ['', ''],
])('the mailbox of %s is on %s', (address, host) => {
  expect(serverOfAddress(address)).toBe(host);
});
