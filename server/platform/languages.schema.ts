/** Languages of emails to people with an account, as BCP 47 tags. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

/** The language of emails to an account; English for one that is no longer offered. */
export function languageOf({ language }: { language: string }): Language {
  return languages.find((offered) => offered === language) ?? 'en';
}
