import { useSyncExternalStore } from 'react';

const serverLocale = 'en-GB';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('languagechange', onChange);
  return () => window.removeEventListener('languagechange', onChange);
}

/** The viewer's locale for numbers and money; a fixed one on the server and during hydration, so that both render the same. */
export function useViewerLocale(): string {
  return useSyncExternalStore(
    subscribe,
    () => navigator.language,
    () => serverLocale,
  );
}

/** The dashboard is in English, so dates follow the viewer's locale only if it is an English one. */
export function englishLocale(locale: string): string {
  return locale.startsWith('en') ? locale : 'en-GB';
}

/** The viewer's locale for dates. */
export const useDateLocale = (): string => englishLocale(useViewerLocale());

/** Whether a locale counts hours to twelve, with am and pm. */
export function hasTwelveHours(locale: string): boolean {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
}

/** The fields of a time of day, beside those of a date: `9:05 AM`, `09:05`; the same as the short time style, which takes no others. */
export function clockFields(locale: string): { hour: 'numeric' | '2-digit'; minute: '2-digit' } {
  return { hour: hasTwelveHours(locale) ? 'numeric' : '2-digit', minute: '2-digit' };
}

/** The date of a moment, `2026-11-24`: in the viewer's zone, unless another one is given. */
export function dateOf(moment: Date, timeZone?: string): string {
  // The Swedish format is the ISO one.
  return moment.toLocaleDateString('sv-SE', { timeZone });
}

/** Formats an amount for the viewer. Fractions below the currency's smallest unit are shown, not rounded. */
function formatMoney(amount: number, currency: string, locale: string): string {
  const plain = `${amount} ${currency}`.trim();
  if (!/^[A-Za-z]{3}$/.test(currency)) return plain;
  return new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 6 }).format(amount);
}

/** Formats amounts for the viewer; see `formatMoney`. */
export function useMoney(): (amount: number, currency: string) => string {
  const locale = useViewerLocale();
  return (amount, currency) => formatMoney(amount, currency, locale);
}
