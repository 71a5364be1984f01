/** The initial of the business in a disc: browsers ask for /favicon.ico when a page names no icon. */
export function favicon(letter: string): string {
  const glyph = letter.replace(/[&<>]/g, '');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#26231f"/>` +
    `<text x="16" y="22.5" font-family="Georgia,serif" font-size="19" fill="#fff" text-anchor="middle">${glyph}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
