import { publicUrl } from '@/server/platform/env';
import type { Language } from '@/server/platform/languages.schema';

/**
 * What the texts of emails to account holders have in common. Each is written once per language, in a catalogue of its feature that
 * is typed by `Language`, so that a missing translation does not compile.
 */

/** The subject and the paragraphs of an email. */
export type Copy = readonly [subject: string, ...paragraphs: string[]];

/** What an email says, and what it is about. */
export interface Notice {
  /** Kept for a week: no secrets here. */
  subject: string;
  /** Plain text; may contain a secret. Links are clickable in the mail. */
  text: string;
  /** The kind of mail, e.g. `password_reset`; for the operator, who reads the table. */
  kind: string;
  language: Language;
  /** The business that it is about. */
  business?: string | undefined;
  /** Where it comes from; below the text. */
  footer?: string;
}

/** The person an email is for. */
export interface Recipient {
  email: string;
  /** As stored with the account; see `languageOf`. */
  language: string;
}

type About = Pick<Notice, 'kind' | 'language' | 'business'>;

/** An email without the line that says where it comes from. */
export function plainNotice(about: About, [subject, ...paragraphs]: Copy): Notice {
  return { ...about, subject, text: paragraphs.join('\n\n') };
}

export function notice(about: About, copy: Copy): Notice {
  return { ...plainNotice(about, copy), footer: `Frontdesk, ${publicUrl()}` };
}

/** The formats of dates for each language. */
const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };

/** A time in a person's zone, which it names: `26 November 2026 at 09:30 CET`. */
export function writtenTime(language: Language, at: Date, timeZone: string | null): string {
  return at.toLocaleString(locales[language], {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  });
}
