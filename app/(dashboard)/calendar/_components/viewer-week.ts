interface WeekInfo {
  firstDay: number;
}

/** The day that weeks begin with where somebody lives, 0 for Sunday. Browsers that do not know it get the Monday of ISO 8601. */
export function firstDayOf(locale: string): number {
  try {
    const known = new Intl.Locale(locale) as { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
    return (known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1 }).firstDay % 7;
  } catch {
    return 1;
  }
}

/** The dashboard speaks English, so names of days and months follow the viewer's locale only as far as it is an English one. */
export function englishLocale(locale: string): string {
  return locale.startsWith('en') ? locale : 'en-GB';
}
