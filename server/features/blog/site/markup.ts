import { createRequire } from 'node:module';
import path from 'node:path';
import type { ReactElement } from 'react';

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
