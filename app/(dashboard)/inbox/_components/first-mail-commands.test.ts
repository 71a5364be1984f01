import { expect, it } from 'vitest';
import { httpCommand, smtpCommand } from './first-mail-commands';

it('makes a command that a shell takes as it is', () => {
  expect(smtpCommand({ host: 'desk.example', port: 2525, address: 'sales@here.example' })).toBe(
    "printf 'From: Ann <ann@quark.example>\\nSubject: Hello\\n\\nIs the shop open on Saturday?\\n' | " +
      'curl -s smtp://desk.example:2525 --mail-from ann@quark.example --mail-rcpt sales@here.example -T -',
  );
});

it('lets no address break out of its word', () => {
  const address = "o'hara+$(date)@here.example";
  expect(smtpCommand({ host: 'desk.example', port: 25, address })).toContain(
    "--mail-rcpt 'o'\\''hara+$(date)@here.example' -T -",
  );
  expect(httpCommand({ origin: 'https://desk.example', address })).toContain(
    "curl -s 'https://desk.example/api/inbound/email?recipient=o%27hara%2B%24(date)%40here.example' -H",
  );
});
