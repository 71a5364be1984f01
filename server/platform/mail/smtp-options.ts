import { BlockList, isIP } from 'node:net';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Options } from 'nodemailer/lib/smtp-transport';

/** Connections to servers that take outgoing mail. */

export type SmtpOptions = Options;

/**
 * Timeouts in milliseconds. After receiving a mail, a server may take ten minutes to confirm it (RFC 5321 4.5.3.2.6); giving up
 * earlier would send it again.
 */
export const smtpTimeouts = {
  connectionTimeout: 30_000,
  greetingTimeout: 30_000,
  socketTimeout: 10 * 60_000,
  dnsTimeout: 10_000,
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(host);
  return version === 0 ? /(^|\.)localhost$/i.test(host) : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The connection options of an SMTP URL. For other machines `smtp:` requires STARTTLS, since password and mail would be
 * readable in transit; `?tls=optional` disables this.
 */
export function smtpOptions(smtpUrl: string): SmtpOptions {
  const url = new URL(smtpUrl);
  const isOptional = url.searchParams.get('tls') === 'optional';
  url.searchParams.delete('tls');
  const requireTLS = url.protocol === 'smtp:' && !isOptional && !isLoopback(url.hostname);
  return { ...parseConnectionUrl(url.href), ...smtpTimeouts, ...(requireTLS ? { requireTLS } : {}) };
}

/**
 * Asks the server whether it supports SMTPUTF8 (RFC 6531: non-ASCII local parts), on a separate connection: headers must be
 * written before the mail's connection knows.
 * @param signal aborts
 * @param patience milliseconds per response; no mail is sent here, so a short timeout suffices
 * @throws the library's error if the server can't be reached
 */
export function offersSmtpUtf8(
  options: SmtpOptions,
  signal?: AbortSignal,
  patience: number = smtpTimeouts.greetingTimeout,
): Promise<boolean> {
  const connection = new SMTPConnection({ ...options, socketTimeout: patience });
  let giveUp: () => void = () => undefined;
  const asked = new Promise<boolean>((resolve, reject) => {
    giveUp = () => {
      connection.close();
      reject(new Error('Given up.'));
    };
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp);
    // Stays attached for errors while closing: an unhandled one would end the process.
    connection.on('error', reject);
    connection.connect((error) => {
      if (error) return reject(error);
      const answer = /^250[ -]SMTPUTF8\s*$/im.test(String(connection.lastServerResponse));
      connection.quit();
      resolve(answer);
    });
  });
  return asked.finally(() => signal?.removeEventListener('abort', giveUp));
}
