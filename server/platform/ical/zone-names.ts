import { Temporal } from 'temporal-polyfill';

/** Names as they are spelled; asking Temporal takes a hundred times as long. */
const known = new Set<string>();

/**
 * The IANA name of a time zone as the time-zone database spells it, or undefined where the runtime knows no zone of that name. Case does
 * not matter; an alias stays the alias it is. Offsets (`+01:00`) are no names.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name) || name.length > 60) return undefined;
  if (known.has(name)) return name;
  try {
    const { timeZoneId } = Temporal.PlainDate.from('2000-01-01').toZonedDateTime(name);
    // Temporal also takes whole dates for the zone they name, and ICU knows zones of its own.
    if (timeZoneId.toLowerCase() !== name.toLowerCase() || /^systemv\//i.test(name)) return undefined;
    known.add(timeZoneId);
    return timeZoneId;
  } catch {
    return undefined;
  }
}
