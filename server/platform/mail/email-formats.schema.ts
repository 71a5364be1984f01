/** How the text of an email is written. */
export const emailFormats = ['plain', 'markdown'] as const;

export type EmailFormat = (typeof emailFormats)[number];
