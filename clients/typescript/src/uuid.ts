/**
 * UUIDs of RFC 9562 without `crypto.randomUUID` and `crypto.subtle`: browsers have both on secure pages only, and an installation in
 * an office is often opened over plain http. `crypto.getRandomValues` is there on any page.
 */

/** Sets version and variant, and writes sixteen bytes as text. */
export function formatUuid(bytes: Uint8Array, version: number): string {
  const stamped = bytes.slice(0, 16);
  stamped[6] = ((stamped[6] ?? 0) & 0x0f) | (version << 4);
  stamped[8] = ((stamped[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(stamped, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A random UUID (version 4). */
export function randomUuid(): string {
  return formatUuid(crypto.getRandomValues(new Uint8Array(16)), 4);
}
