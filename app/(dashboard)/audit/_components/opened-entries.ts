/**
 * What is open in the list, by id of the change: its details, or only the row that it shares with others. It stays so when changes get
 * a row together because older ones were loaded.
 */
export type OpenedEntries = ReadonlyMap<string, 'row' | 'details'>;

/** True if the details of a change are shown. */
export function hasOpenDetails(opened: OpenedEntries, id: string): boolean {
  return opened.get(id) === 'details';
}

/** True if the changes that share a row are shown. */
export function isRowOpen(opened: OpenedEntries, ids: readonly string[]): boolean {
  return ids.some((id) => opened.has(id));
}

/** Opens or closes the details of a change. A row that it shares with others stays open. */
export function toggleDetails(opened: OpenedEntries, id: string, sharesRow: boolean): OpenedEntries {
  if (!hasOpenDetails(opened, id)) return new Map(opened).set(id, 'details');
  return sharesRow ? new Map(opened).set(id, 'row') : without(opened, [id]);
}

/** Opens a row of several changes, or closes it with everything in it. */
export function toggleRow(opened: OpenedEntries, ids: readonly [string, ...string[]]): OpenedEntries {
  return isRowOpen(opened, ids) ? without(opened, ids) : new Map(opened).set(ids[0], 'row');
}

function without(opened: OpenedEntries, ids: readonly string[]): OpenedEntries {
  return new Map([...opened].filter(([id]) => !ids.includes(id)));
}
