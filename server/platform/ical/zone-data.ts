/** The release of this process' time zone data, such as `2026a`; '' if Node.js was built without its own. */
export const zoneData = process.versions.tz ?? '';

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * A warning for the operator if the data is older than a year, else null. A release's name gives its year; mid-year is assumed.
 */
export function zoneDataAdvice(now = Date.now(), release = zoneData): string | null {
  const released = /^(\d{4})[a-z]*$/.exec(release)?.[1];
  if (released === undefined || now - Date.UTC(Number(released), 6) <= year) return null;
  return `Time zone data is from ${released}, so clock changes decided since may be wrong. A newer release of Node.js brings newer data.`;
}
