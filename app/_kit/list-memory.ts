import { readSetting, writeSetting } from './device-setting';
import { useBrowserValue } from './use-browser-value';

/** The last search of each list in this tab, so that a record's page links back to the same search and page. */

const storageKey = (path: string) => `frontdesk.list.${path}`;

/** @param path of the list, such as `/customers`; @param query with its question mark, or empty */
export const rememberList = (path: string, query: string): void => writeSetting(storageKey(path), query, 'sessionStorage');

function rememberedHref(path: string): string {
  const query = readSetting(storageKey(path), 'sessionStorage') ?? '';
  return query.startsWith('?') ? `${path}${query}` : path;
}

/** The address of the list at `path` with its last search. */
export const useListHref = (path: string): string => useBrowserValue(() => rememberedHref(path), path);
