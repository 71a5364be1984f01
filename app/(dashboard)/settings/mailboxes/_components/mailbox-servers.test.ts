import { expect, test } from 'vitest';
import { serversOfAddress } from './mailbox-servers';

test.each([
  ['Shop@Gmail.com', 'imap.gmail.com', 'smtp.gmail.com', 'tls'],
  ['ann@outlook.co.uk', 'outlook.office365.com', 'smtp-mail.outlook.com', 'starttls'],
  ['ann@quark.example', 'imap.quark.example', 'smtp.quark.example', 'tls'],
  [' ann@mail.quark.example ', 'imap.mail.quark.example', 'smtp.mail.quark.example', 'tls'],
  ['ann@quark', '', '', 'tls'],
  ['ann', '', '', 'tls'],
  ['', '', '', 'tls'],
])('the mailbox of %s is on %s, and %s sends from it', (address, imap, smtp, smtpSecurity) => {
  expect(serversOfAddress(address)).toEqual({ imap, smtp, smtpSecurity });
});
