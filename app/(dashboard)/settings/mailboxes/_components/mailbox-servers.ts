/** The servers of a mailbox: where its email is, and what sends from its address. */
export interface ProbableServers {
  imap: string;
  smtp: string;
  /** How the second one is connected to. */
  smtpSecurity: 'tls' | 'starttls';
}

type Known = [domains: RegExp, imap: string, smtp: string, smtpSecurity?: 'starttls'];

/** Those of well-known providers. */
const providers: readonly Known[] = [
  [/^(gmail|googlemail)\.com$/, 'imap.gmail.com', 'smtp.gmail.com'],
  [/^(outlook|hotmail|live|msn)\.[a-z.]+$/, 'outlook.office365.com', 'smtp-mail.outlook.com', 'starttls'],
  [/^(yahoo|ymail|rocketmail)\.[a-z.]+$/, 'imap.mail.yahoo.com', 'smtp.mail.yahoo.com'],
  [/^aol\.com$/, 'imap.aol.com', 'smtp.aol.com'],
  [/^(icloud|me|mac)\.com$/, 'imap.mail.me.com', 'smtp.mail.me.com', 'starttls'],
  [/^gmx\.(net|de|at|ch)$/, 'imap.gmx.net', 'mail.gmx.net'],
  [/^gmx\.com$/, 'imap.gmx.com', 'mail.gmx.com'],
  [/^web\.de$/, 'imap.web.de', 'smtp.web.de', 'starttls'],
  [/^t-online\.de$/, 'secureimap.t-online.de', 'securesmtp.t-online.de'],
  [/^fastmail\.(com|fm)$/, 'imap.fastmail.com', 'smtp.fastmail.com'],
  [/^mailbox\.org$/, 'imap.mailbox.org', 'smtp.mailbox.org'],
  [/^posteo\.[a-z]+$/, 'posteo.de', 'posteo.de'],
  [/^zoho\.com$/, 'imap.zoho.com', 'smtp.zoho.com'],
  [/^orange\.fr$/, 'imap.orange.fr', 'smtp.orange.fr'],
  [/^free\.fr$/, 'imap.free.fr', 'smtp.free.fr'],
];

/** The servers that an address probably has its mailbox on; their names are '' before it has a domain. */
export function serversOfAddress(address: string): ProbableServers {
  const domain = /@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(address.trim().toLowerCase())?.[1];
  if (domain === undefined) return { imap: '', smtp: '', smtpSecurity: 'tls' };
  const [, imap, smtp, smtpSecurity = 'tls'] = providers.find(([domains]) => domains.test(domain)) ?? [];
  return { imap: imap ?? `imap.${domain}`, smtp: smtp ?? `smtp.${domain}`, smtpSecurity };
}
