import type { CallSelection } from '../section';
import { sections } from '../sections';

/** Maps each page to the REST operations behind it. Their names and shapes come from the API document. */

export interface PageCalls {
  selection: CallSelection;
  /** Values that the page's address gives for the record, by parameter name. */
  ids: Readonly<Record<string, string>>;
}

const pages = sections.flatMap(({ calls = [] }) => calls);

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const ids: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) ids[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return ids;
}

/** The calls behind a page; null if it has none. With an event open, those of the event. */
export function pageCallsOf(pathname: string, search?: URLSearchParams): PageCalls | null {
  for (const { path, selection } of pages) {
    const ids = matchPath(path, pathname);
    if (ids === null) continue;
    const eventId = path === '/calendar' ? search?.get('event') : null;
    if (eventId && 'tag' in selection) return { selection: { ...selection, isAboutRecord: true }, ids: { eventId } };
    return { selection, ids };
  }
  return null;
}
