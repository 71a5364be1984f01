import type { Operation, Paging } from './operation.js';
import type { AnyOptions, Input } from './request.js';
import type { Send } from './transport.js';

/** Reading lists to their end. */

type Item = Record<string, unknown>;

interface Page {
  items: Item[];
  hasMore: boolean;
  /** Behind the page; the calendar has none. */
  nextCursor: string | undefined;
}

const largestCalendarPage = 2_500;

/** `hasMore` and `nextCursor` are beside the items, or with the agents in `pagination` beside them. */
function readPage(answer: unknown, { items: keys }: Paging): Page {
  let around = answer as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) around = around[key] as Record<string, unknown>;
  const pagination = (around.pagination ?? around) as { hasMore?: unknown; nextCursor?: string | null };
  return {
    items: around[keys.at(-1) ?? ''] as Item[],
    hasMore: pagination.hasMore === true,
    nextCursor: pagination.nextCursor ?? undefined,
  };
}

/** Occurrences of a series have its id, and a start of their own. */
function keyOf(item: Item): string {
  return `${item.id} ${item.occurrenceStart ?? ''}`;
}

function startOf(item: Item): string {
  return String(item.occurrenceStart ?? item.startTime);
}

const later = (a: string, b: string) => (Date.parse(a) > Date.parse(b) ? a : b);

/**
 * The input for the page after `page`. The calendar has no offset: what ends after a moment is asked for, in order of start, so the
 * start of the last item is where the next page begins. It shows again what was going on then, which is known by its key.
 */
function nextInput(by: Paging['by'], input: Input, page: Page, fresh: number): Input {
  if (page.nextCursor !== undefined) {
    const { offset: _, ...others } = input;
    return { ...others, cursor: page.nextCursor };
  }
  // Servers before 0.4.0 have no cursors.
  if (by === 'offset') return { ...input, offset: Number(input.offset ?? 0) + page.items.length };
  const last = page.items.at(-1);
  if (fresh > 0 && last) {
    const start = startOf(last);
    return { ...input, startDate: input.startDate === undefined ? start : later(start, String(input.startDate)) };
  }
  // A page full of what began before the range leads nowhere; a larger one does, unless it was as large as can be.
  if (input.limit === largestCalendarPage)
    throw new RangeError('More events go on at once than one page holds. Ask for less at a time.');
  return { ...input, limit: largestCalendarPage };
}

/**
 * Items of all pages. What is added or removed meanwhile shifts no page: nothing comes twice, and nothing that is there all the time
 * is missed, unless what the list is ordered by changes, as a conversation's newest message does.
 */
export async function* readAll(
  send: Send,
  operation: Operation,
  input: Input,
  options: AnyOptions,
): AsyncGenerator<Item, void, undefined> {
  const { paging } = operation;
  if (!paging) throw new TypeError(`${operation.path} is no list.`);
  const seen = new Set<string>();
  for (let next = input; ; ) {
    const page = readPage((await send(operation, next, options)).data, paging);
    const fresh = page.items.filter((item) => !seen.has(keyOf(item)));
    for (const item of fresh) {
      seen.add(keyOf(item));
      yield item;
    }
    if (!page.hasMore || (paging.by === 'offset' && page.items.length === 0)) return;
    next = nextInput(paging.by, next, page, fresh.length);
  }
}
