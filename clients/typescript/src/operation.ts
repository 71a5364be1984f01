/** One operation of the REST API, as the runtime needs to know it. */
export interface Operation {
  method: string;
  /** Below `/api/v1`, with `{parameters}`. */
  path: string;
  /** True where `application/merge-patch+json` (RFC 7396) is understood as well. */
  mergePatch?: boolean;
  /** True where the body is a file. */
  upload?: boolean;
  /** True where the answer is a file. */
  download?: boolean;
  paging?: Paging;
}

/** How a list is read page by page. */
export interface Paging {
  /** `offset`: the next page skips what was read. `start`: it begins at the start of the last item, as the calendar wants it. */
  by: 'offset' | 'start';
  /** Keys that lead from the answer to the items. */
  items: string[];
}
