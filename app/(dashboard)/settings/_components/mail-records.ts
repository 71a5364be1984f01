import type { MailStatus } from '@/server/features/mail/status.schema';

interface MailRecords {
  /** As it stands in a zone file (RFC 1035, section 3.3.9). */
  mx: string;
  /** Likewise (RFC 7208). */
  spf: string;
  /** False where the name of this installation has to be put in. */
  isHostKnown: boolean;
}

type Setup = { domain: string; host: MailStatus['host']; outbound: Pick<MailStatus['outbound'], 'server'> };

/** Nothing outside knows these as the sender. */
const privateAddress = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;

/** What SPF says of the server mail leaves through: by name, or by address (RFC 7208, sections 5.3 and 5.6). */
function sendingMechanism(server: string | null): string {
  const name = server?.replace(/:\d+$/, '') ?? null;
  if (name === null || !name.includes('.') || privateAddress.test(name)) return 'mx';
  return /^[\d.]+$/.test(name) ? `ip4:${name}` : `a:${name}`;
}

/** The records that bring mail of a domain here, and let it leave in the domain's name. */
export function mailRecords({ domain, host, outbound }: Setup): MailRecords {
  const target = host ?? 'desk.example.com';
  return {
    mx: `${domain}. 3600 IN MX 10 ${target}.`,
    spf: `${domain}. 3600 IN TXT "v=spf1 ${sendingMechanism(outbound.server)} ~all"`,
    isHostKnown: host !== null,
  };
}
