import { isIP } from 'node:net';
import { type ChosenServer, checkedHost } from '../fetch/checked-host';

/** Mail servers that members of a business have chosen: to read email from (IMAP), and to send it by (submission, RFC 6409). */

/** With TLS at once, or with STARTTLS. Never without: passwords and emails could be read in transit. */
export type MailSecurity = 'tls' | 'starttls';

/** Ports of the public internet that may be used (RFC 8314). */
export const mailPorts = {
  imap: { tls: 993, starttls: 143 },
  submission: { tls: 465, starttls: 587 },
} as const satisfies Record<string, Record<MailSecurity, number>>;

/** What a user signs in with; one of both. */
export interface MailLogin {
  password?: string;
  /** Of OAuth 2.0 (XOAUTH2, or OAUTHBEARER of RFC 7628). */
  accessToken?: string;
}

export interface MailServer extends ChosenServer, MailLogin {
  security: MailSecurity;
  username: string;
  /** A certificate (PEM) that is trusted besides those that Node.js trusts. */
  ca?: string;
}

/**
 * Where to connect, and whose certificate to expect.
 * @throws OutboundRefused if it may not be connected to
 * @throws OutboundFailed if its name has no address
 */
export async function addressOf(
  server: ChosenServer,
  protocol: keyof typeof mailPorts,
  signal: AbortSignal,
): Promise<{ host: string; servername?: string }> {
  const host = await checkedHost(server, Object.values(mailPorts[protocol]), signal);
  return { host, ...(isIP(server.host) === 0 ? { servername: server.host } : {}) };
}
