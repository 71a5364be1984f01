/** The first mail as commands for a terminal. */

/** A word that a shell takes as it is; others in quotation marks. */
function shellWord(word: string): string {
  return /^[\w@.+:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const sender = 'ann@quark.example';
const message = `printf 'From: Ann <${sender}>\\nSubject: Hello\\n\\nIs the shop open on Saturday?\\n'`;

interface SmtpTarget {
  /** As the viewer reaches the installation. */
  host: string;
  port: number;
  address: string;
}

/** Sends a mail by SMTP. */
export function smtpCommand({ host, port, address }: SmtpTarget): string {
  const target = shellWord(`smtp://${host}:${port}`);
  return `${message} | curl -s ${target} --mail-from ${sender} --mail-rcpt ${shellWord(address)} -T -`;
}

/** Hands a mail in over HTTP. The secret comes from the shell's own settings, so that it is not shown on a page. */
export function httpCommand({ origin, address }: { origin: string; address: string }): string {
  // What is encoded holds no quotation mark but this one.
  const recipient = encodeURIComponent(address).replaceAll("'", '%27');
  const url = `'${origin}/api/inbound/email?recipient=${recipient}'`;
  return `${message} | curl -s ${url} -H "Authorization: Bearer $INBOUND_SECRET" -H 'Content-Type: message/rfc822' --data-binary @-`;
}
