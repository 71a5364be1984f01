/** A quota of the plan as the page shows it. */
export interface QuotaView {
  state: 'fine' | 'nearly' | 'reached' | 'unlimited';
  /** Of the quota, 0 to 100. */
  percent: number;
}

/** From here on a quota is nearly used up, in percent. */
const nearlyFrom = 80;

/** How a quota stands; a limit below zero is none. */
export function toQuotaView({ current, limit }: { current: number; limit: number }): QuotaView {
  if (limit < 0) return { state: 'unlimited', percent: 0 };
  const percent = limit === 0 ? 100 : Math.min(100, (current / limit) * 100);
  return { state: percent >= 100 ? 'reached' : percent >= nearlyFrom ? 'nearly' : 'fine', percent };
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in their largest unit, with at most one decimal: "1.2 GB". Digits follow the viewer's locale. */
export function formatBytes(bytes: number, locale: string): string {
  let [value, unit] = [bytes, 0];
  // 999,950 bytes would round to a thousand kilobytes, which is a megabyte.
  while (value >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: unit === 0 ? 0 : 1 }).format(value);
  return `${number}\u00a0${bytes === 1 ? 'byte' : units[unit]}`;
}
