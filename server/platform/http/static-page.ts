import { createRequire } from 'node:module';
import path from 'node:path';
import type { ReactElement } from 'react';

/** Shared parts of pages rendered by our own process: public blogs and rsvp pages. */

/**
 * React's renderer for static markup. Loaded lazily and outside any bundler: Next.js refuses it in its bundle, which includes
 * this file through the procedures but never renders these pages.
 */
function renderer(): typeof import('react-dom/server') {
  return createRequire(path.resolve('package.json'))('react-dom/server');
}

/** Static markup without React's hydration data. */
export function markupOf(element: ReactElement): string {
  return renderer().renderToStaticMarkup(element);
}

/** The first character of a name, as a reader sees it, in upper case; empty if the name has no letters or digits. */
function firstLetter(word: string, language: string): string {
  const start = /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '';
  return start.toLocaleUpperCase(language);
}

/** Initials of the first and last word of a name, shown instead of a picture. */
export function initials(name: string, language: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => firstLetter(word, language))
    .filter(Boolean);
  return letters.length < 2 ? letters.join('') : `${letters[0]}${letters.at(-1)}`;
}

/** A disc with the business' initial: browsers request /favicon.ico if a page names no icon. */
export function favicon(letter: string): string {
  const glyph = letter.replace(/[&<>]/g, '');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#26231f"/>` +
    `<text x="16" y="22.5" font-family="Georgia,serif" font-size="19" fill="#fff" text-anchor="middle">${glyph}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
