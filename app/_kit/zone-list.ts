export interface ZoneChoice {
  id: string;
  /** `Europe/Berlin (GMT+1)` */
  label: string;
}

const allZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

function offsetOf(timeZone: string, at: number): string {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  } catch {
    return '';
  }
}

/** Zones searchable by city or by offset, with spaces for underscores. Includes the given ones, such as a stored alias. */
export function zoneChoices(at: number, ...present: string[]): ZoneChoice[] {
  const names = [...new Set([...present, ...allZones()])];
  return names.map((id) => {
    const offset = id === 'UTC' ? '' : offsetOf(id, at);
    return { id, label: `${id.replaceAll('_', ' ')}${offset === '' ? '' : ` (${offset})`}` };
  });
}
