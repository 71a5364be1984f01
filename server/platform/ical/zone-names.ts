import { Temporal } from 'temporal-polyfill';

/** Cache of canonical names; asking Temporal takes a hundred times as long. */
const known = new Set<string>();

/**
 * The IANA spelling of a time zone name, or undefined if the runtime does not know it. Ignores case and keeps aliases. Offsets
 * (`+01:00`) are not names.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name) || name.length > 60) return undefined;
  if (known.has(name)) return name;
  try {
    const { timeZoneId } = Temporal.PlainDate.from('2000-01-01').toZonedDateTime(name);
    // Temporal also accepts whole dates with a zone, and ICU has non-IANA zones.
    if (timeZoneId.toLowerCase() !== name.toLowerCase() || /^systemv\//i.test(name)) return undefined;
    known.add(timeZoneId);
    return timeZoneId;
  } catch {
    return undefined;
  }
}
