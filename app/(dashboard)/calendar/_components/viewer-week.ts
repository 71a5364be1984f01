interface WeekInfo {
  firstDay: number;
}

/** The first day of the week in a locale, 0 for Sunday. Browsers without this data get the Monday of ISO 8601. */
export function firstDayOf(locale: string): number {
  try {
    const known = new Intl.Locale(locale) as { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
    return (known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1 }).firstDay % 7;
  } catch {
    return 1;
  }
}
