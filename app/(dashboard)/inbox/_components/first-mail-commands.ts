/** Terminal commands that send a first mail. */

/** Quotes a word for a shell if necessary. */
function shellWord(word: string): string {
  return /^[\w@.+:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const sender = 'ann@quark.example';
const message = `printf 'From: Ann <${sender}>\\nSubject: Hello\\n\\nIs the shop open on Saturday?\\n'`;

interface SmtpTarget {
  /** Host name at which the viewer reaches the installation. */
  host: string;
  port: number;
  address: string;
}

export function smtpCommand({ host, port, address }: SmtpTarget): string {
  const target = shellWord(`smtp://${host}:${port}`);
  return `${message} | curl -s ${target} --mail-from ${sender} --mail-rcpt ${shellWord(address)} -T -`;
}

/** Submits a mail over HTTP. The secret comes from an environment variable, so that no page shows it. */
export function httpCommand({ origin, address }: { origin: string; address: string }): string {
  // The only quotation mark that encoding leaves.
  const recipient = encodeURIComponent(address).replaceAll("'", '%27');
  const url = `'${origin}/api/inbound/email?recipient=${recipient}'`;
  return `${message} | curl -s ${url} -H "Authorization: Bearer $INBOUND_SECRET" -H 'Content-Type: message/rfc822' --data-binary @-`;
}
