import type { MailStatus } from '@/server/features/mail/status.schema';

interface MailRecords {
  /** In zone file format (RFC 1035, section 3.3.9). */
  mx: string;
  /** In zone file format (RFC 7208). */
  spf: string;
  /** False if the installation's host name has to be filled in. */
  isHostKnown: boolean;
}

type Setup = { domain: string; host: MailStatus['host']; outbound: Pick<MailStatus['outbound'], 'server'> };

/** Private addresses, which no outside server sees as the sender. */
const privateAddress = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;

/** The SPF mechanism for the outgoing server: by name, or by address (RFC 7208, sections 5.3 and 5.6). */
function sendingMechanism(server: string | null): string {
  const name = server?.replace(/:\d+$/, '') ?? null;
  if (name === null || !name.includes('.') || privateAddress.test(name)) return 'mx';
  return /^[\d.]+$/.test(name) ? `ip4:${name}` : `a:${name}`;
}

/** The DNS records that route a domain's mail here and authorise outgoing mail in its name. */
export function mailRecords({ domain, host, outbound }: Setup): MailRecords {
  const target = host ?? 'desk.example.com';
  return {
    mx: `${domain}. 3600 IN MX 10 ${target}.`,
    spf: `${domain}. 3600 IN TXT "v=spf1 ${sendingMechanism(outbound.server)} ~all"`,
    isHostKnown: host !== null,
  };
}
