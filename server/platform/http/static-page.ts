import { createRequire } from 'node:module';
import path from 'node:path';
import type { ReactElement } from 'react';

/** What pages that our own process renders have in common: public blogs, and the pages of invitees. */

/**
 * React's renderer of plain markup. Loaded where it is first needed and past any bundler: Next.js refuses it in its own bundle, which has
 * the procedures in it and so this file, but never renders a page of ours.
 */
function renderer(): typeof import('react-dom/server') {
  return createRequire(path.resolve('package.json'))('react-dom/server');
}

/** Markup without anything that React would need to take it over in a browser. */
export function markupOf(element: ReactElement): string {
  return renderer().renderToStaticMarkup(element);
}

/** The first character of a name as people see it, in capitals; empty for a name without letters or digits. */
function firstLetter(word: string, language: string): string {
  const start = /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '';
  return start.toLocaleUpperCase(language);
}

/** Letters of the first and last word of a name: what stands where a picture of its bearer would. */
export function initials(name: string, language: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => firstLetter(word, language))
    .filter(Boolean);
  return letters.length < 2 ? letters.join('') : `${letters[0]}${letters.at(-1)}`;
}

/** The initial of the business in a disc: browsers ask for /favicon.ico when a page names no icon. */
export function favicon(letter: string): string {
  const glyph = letter.replace(/[&<>]/g, '');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#26231f"/>` +
    `<text x="16" y="22.5" font-family="Georgia,serif" font-size="19" fill="#fff" text-anchor="middle">${glyph}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
