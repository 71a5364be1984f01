/** The release of the time zone data of this process, such as `2026a`; '' where Node.js was built without its own. */
export const zoneData = process.versions.tz ?? '';

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * What the operator should know where the data is older than a year; null where it is recent. The name of a release tells its year; it is taken
 * to be of the middle of it.
 */
export function zoneDataAdvice(now = Date.now(), release = zoneData): string | null {
  const released = /^(\d{4})[a-z]*$/.exec(release)?.[1];
  if (released === undefined || now - Date.UTC(Number(released), 6) <= year) return null;
  return `Time zone data is from ${released}, so clock changes decided since may be wrong. A newer release of Node.js brings newer data.`;
}
