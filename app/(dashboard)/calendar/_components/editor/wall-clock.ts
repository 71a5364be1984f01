/** Wall times (see zone-clock.ts) as values of date and time fields. */

/** The wall time of `2026-11-24` and `09:30`; null if they are not filled in. */
export function parseWall(date: string, time = '00:00'): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d(:\d\d)?$/.test(time)) return null;
  const wall = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(wall) ? null : wall;
}

/** `09:30` */
export const timeOfWall = (wall: number) => new Date(wall).toISOString().slice(11, 16);
