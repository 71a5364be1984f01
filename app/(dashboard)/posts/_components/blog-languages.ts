import * as z from 'zod';
import { labelledLanguages, updateBlogSettingsInput } from '@/server/features/blog/blog-site.schema';

/** The choice for a typed tag. */
export const otherLanguage = 'other';

/** Common languages, by their own names; any other can be typed. */
export const commonLanguages = [
  { value: 'en', label: 'English' },
  { value: 'en-GB', label: 'English (United Kingdom)' },
  { value: 'de', label: 'Deutsch' },
  { value: 'es', label: 'Español' },
  { value: 'fr', label: 'Français' },
  { value: 'it', label: 'Italiano' },
  { value: 'nl', label: 'Nederlands' },
  { value: 'pt', label: 'Português' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'cs', label: 'Čeština' },
  { value: 'da', label: 'Dansk' },
  { value: 'el', label: 'Ελληνικά' },
  { value: 'fi', label: 'Suomi' },
  { value: 'hu', label: 'Magyar' },
  { value: 'nb', label: 'Norsk bokmål' },
  { value: 'pl', label: 'Polski' },
  { value: 'ro', label: 'Română' },
  { value: 'sv', label: 'Svenska' },
  { value: 'tr', label: 'Türkçe' },
  { value: 'ru', label: 'Русский' },
  { value: 'uk', label: 'Українська' },
  { value: 'ar', label: 'العربية' },
  { value: 'he', label: 'עברית' },
  { value: 'hi', label: 'हिन्दी' },
  { value: 'ja', label: '日本語' },
  { value: 'ko', label: '한국어' },
  { value: 'zh-Hans', label: '简体中文' },
  { value: 'zh-Hant', label: '繁體中文' },
] as const;

export const languageOptions = [...commonLanguages, { value: otherLanguage, label: 'Other language…' }];

export interface LanguageValues {
  /** One of the offered languages, or `otherLanguage`. */
  choice: string;
  /** BCP 47, if `choice` is `otherLanguage`. */
  tag: string;
}

/** The setting as form values. */
export function toLanguageValues(language: string): LanguageValues {
  const isCommon = commonLanguages.some(({ value }) => value === language);
  return isCommon ? { choice: language, tag: '' } : { choice: otherLanguage, tag: language };
}

/** The tag of the form's values. */
export function languageOf({ choice, tag }: LanguageValues): string {
  return choice === otherLanguage ? tag.trim() : choice;
}

/** The procedure's rule; a typed tag counts only if it was asked for. */
export const languageSchema = z.object({ choice: z.string(), tag: z.string() }).superRefine((values, context) => {
  if (values.choice !== otherLanguage) return;
  const issues = updateBlogSettingsInput.shape.language.safeParse(languageOf(values)).error?.issues ?? [];
  // An invalid tag is a more useful message than its length.
  const issue = issues.find(({ code }) => code === 'custom') ?? issues[0];
  if (issue) context.addIssue({ code: 'custom', path: ['tag'], message: issue.message });
});

/** The effect of choosing a language; '' while the tag is invalid. */
export function languageEffect(tag: string): string {
  try {
    const isSpoken = labelledLanguages.includes(new Intl.Locale(tag).language);
    return isSpoken
      ? 'Also sets date formats and blog labels.'
      : 'Also sets date formats. Blog labels such as “Newer posts” stay in English.';
  } catch {
    return '';
  }
}

/** The English name of a language tag, "Swiss German"; '' if there is none, or the tag is invalid. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag) ?? '';
  } catch {
    return '';
  }
}
