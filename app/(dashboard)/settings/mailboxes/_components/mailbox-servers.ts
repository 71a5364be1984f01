/** Where the mailboxes of well-known providers are. */
const hosts: readonly [domains: RegExp, host: string][] = [
  [/^(gmail|googlemail)\.com$/, 'imap.gmail.com'],
  [/^(outlook|hotmail|live|msn)\.[a-z.]+$/, 'outlook.office365.com'],
  [/^(yahoo|ymail|rocketmail)\.[a-z.]+$/, 'imap.mail.yahoo.com'],
  [/^aol\.com$/, 'imap.aol.com'],
  [/^(icloud|me|mac)\.com$/, 'imap.mail.me.com'],
  [/^gmx\.(net|de|at|ch)$/, 'imap.gmx.net'],
  [/^gmx\.com$/, 'imap.gmx.com'],
  [/^web\.de$/, 'imap.web.de'],
  [/^t-online\.de$/, 'secureimap.t-online.de'],
  [/^fastmail\.(com|fm)$/, 'imap.fastmail.com'],
  [/^mailbox\.org$/, 'imap.mailbox.org'],
  [/^posteo\.[a-z]+$/, 'posteo.de'],
  [/^zoho\.com$/, 'imap.zoho.com'],
  [/^orange\.fr$/, 'imap.orange.fr'],
  [/^free\.fr$/, 'imap.free.fr'],
];

/** The server that an address probably has its mailbox on; '' before it has a domain. */
export function serverOfAddress(address: string): string {
  const domain = /@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(address.trim().toLowerCase())?.[1];
  if (domain === undefined) return '';
  return hosts.find(([domains]) => domains.test(domain))?.[1] ?? `imap.${domain}`;
}
