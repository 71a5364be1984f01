const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in their largest unit, with at most one decimal: "1.2 GB". Digits follow the viewer's locale. */
export function formatBytes(bytes: number, locale: string): string {
  let [value, unit] = [bytes, 0];
  // 999,950 bytes would round to a thousand kilobytes, which is a megabyte.
  while (value >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: unit === 0 ? 0 : 1 }).format(value);
  return `${number}\u00a0${bytes === 1 ? 'byte' : units[unit]}`;
}
