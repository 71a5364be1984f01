import { dictionary, type Labels, type Plural } from './labels';
import type { SiteService } from './site';

/** Scripts that run from right to left (Unicode, those in use for living languages). */
const rightToLeft = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

/** Labels and formatting of a site's language. */
export interface SiteLocale {
  labels: Labels;
  /** Canonical BCP 47 tag, for `lang`. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** In Open Graph's form: `de_AT`. */
  ogLocale: string;
  /** Attributes for elements with our labels, if these are English within a page of another language… */
  own: { lang?: string };
  /** …and for the site's own texts inside of them. */
  theirs: { lang?: string };
  /** A date in the site's language, in UTC. */
  date: (iso: string) => string;
  number: (value: number) => string;
  count: (plural: Plural, value: number) => string;
  /** Null if the service has no price. */
  price: (service: SiteService) => string | null;
}

function parseLocale(language: string): Intl.Locale {
  try {
    return new Intl.Locale(language);
  } catch {
    return new Intl.Locale('en');
  }
}

/** `template` with every `{name}` replaced. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

function formatPrice(locales: string[], price: number, currency: string): string {
  try {
    const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
    return new Intl.NumberFormat(locales, style).format(price);
  } catch {
    return `${new Intl.NumberFormat(locales).format(price)} ${currency}`.trim();
  }
}

/** Labels, dates, numbers and prices of a BCP 47 language; languages without labels get the English ones. */
export function siteLocale(language: string): SiteLocale {
  const locale = parseLocale(language);
  const likely = locale.maximize();
  const direction = rightToLeft.has(likely.script ?? '') ? 'rtl' : 'ltr';
  const known = Object.hasOwn(dictionary, locale.language);
  const labels: Labels = known ? dictionary[locale.language as keyof typeof dictionary] : dictionary.en;
  // Without a second choice, a language unknown to ICU would fall back on the machine's language.
  const locales = [locale.baseName, 'en'];
  const wordLocales = known ? locales : ['en'];

  const dates = new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(wordLocales);
  const rules = new Intl.PluralRules(wordLocales);

  return {
    labels,
    language: locale.toString(),
    direction,
    ogLocale: [likely.language, likely.region].filter(Boolean).join('_'),
    own: known ? {} : { lang: 'en' },
    theirs: known ? {} : { lang: locale.toString() },
    date: (iso) => dates.format(new Date(iso)),
    number: (value) => numbers.format(value),
    count: (plural, value) => fill(plural[rules.select(value)] ?? plural.other, { n: numbers.format(value) }),
    price: ({ price, currency, billingInterval }) => {
      if (price === null) return null;
      if (price === 0) return labels.free;
      const interval = { 'one-time': labels.oneTime, monthly: labels.monthly, yearly: labels.yearly };
      const amount = formatPrice(locales, price, currency);
      return billingInterval === null ? amount : `${amount} ${interval[billingInterval]}`;
    },
  };
}
