/** The address of a link from what was typed, such as `example.com` or `ann@example.com`; null if it is none. */
export function linkAddress(typed: string): string | null {
  const address = typed.trim();
  if (address === '' || /\s/.test(address)) return null;
  if (/^[^:/?#]+@[^@:/?#]+$/.test(address)) return `mailto:${address}`;
  const absolute = /^(https?:\/\/|mailto:|tel:)/i.test(address) ? address : `https://${address}`;
  return URL.canParse(absolute) ? new URL(absolute).href : null;
}
