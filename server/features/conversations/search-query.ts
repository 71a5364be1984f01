import { type TextCondition, type Weight, wordsOfText } from '@/server/platform/db/text-index';
import { invalidFields } from '@/server/platform/errors';

/**
 * What is searched for in conversations: words, phrases in quotes, and operators.
 *
 *     invoice "second reminder" from:ann -subject:offer has:attachment label:fleet after:2026-10-01 before:2026-11-01
 */

/** Where the words of a message are. */
export const messageWeights = { subject: 'A', from: 'B', to: 'C', text: 'D' } as const satisfies Record<string, Weight>;

/** True of a message with a file that is not shown within its text. */
export const attachmentFlag = 'attachment';

/** Words and files have to be of one message. */
export interface SearchQuery {
  conditions: TextCondition[];
  hasAttachment: boolean;
  /** Names of labels. */
  labels: string[];
  /** Dates as `2026-11-30`: from `after` on, and before `before`. */
  after?: string;
  before?: string;
}

const invalid = (problem: string) => invalidFields({ query: problem });

/** A word or a phrase, with an operator in front of it or not. */
interface Part {
  operator: string;
  value: string;
  isQuoted: boolean;
  isNegated: boolean;
}

const partPattern = /(?<minus>-?)(?:(?<operator>[a-z]+):)?(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+)|(?=\s|$))/giu;

function partsOf(query: string): Part[] {
  return Array.from(query.matchAll(partPattern), ({ groups = {} }) => ({
    operator: groups.operator?.toLowerCase() ?? '',
    value: groups.quoted ?? groups.plain ?? '',
    isQuoted: groups.quoted !== undefined,
    isNegated: groups.minus === '-',
  }));
}

/** Operators that look for words, and where. */
const places = new Map<string, readonly Weight[]>([
  ['', []],
  ['from', [messageWeights.from]],
  ['to', [messageWeights.to]],
  ['subject', [messageWeights.subject]],
]);

function dateOf({ operator, value }: Part): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  // PostgreSQL knows no year 0.
  if (Number.isNaN(time) || value < '0001' || !new Date(time).toISOString().startsWith(value)) {
    throw invalid(`has “${operator}:” without a date such as 2026-11-30`);
  }
  return value;
}

/** The other operators. */
const filters = new Map<string, (part: Part, query: SearchQuery) => Partial<SearchQuery>>([
  [
    'has',
    ({ value }) => {
      if (value.toLowerCase() !== 'attachment') throw invalid('has “has:” without “attachment”');
      return { hasAttachment: true };
    },
  ],
  ['label', ({ value }, { labels }) => ({ labels: [...labels, value] })],
  ['after', (part) => ({ after: dateOf(part) })],
  ['before', (part) => ({ before: dateOf(part) })],
]);

/** @throws AppError invalid_request for an operator with a value that it does not take */
export function parseSearchQuery(query: string): SearchQuery {
  const parsed: SearchQuery = { conditions: [], hasAttachment: false, labels: [] };
  for (const part of partsOf(query)) {
    const { operator, value, isQuoted, isNegated } = part;
    const filter = filters.get(operator);
    if (filter && isNegated) throw invalid(`has a minus in front of “${operator}:”`);
    // An operator without a value is one that is being typed.
    if (value === '') continue;
    if (filter) {
      Object.assign(parsed, filter(part, parsed));
      continue;
    }
    const weights = places.get(operator);
    // Other words with a colon are looked for as they are.
    const words = wordsOfText(weights ? value : `${operator}:${value}`);
    parsed.conditions.push({ words, weights: weights ?? [], isPrefix: !isQuoted, isNegated });
  }
  if (parsed.conditions.length > 0 && !parsed.hasAttachment && parsed.conditions.every(({ isNegated }) => isNegated)) {
    throw invalid('has only words with a minus');
  }
  return parsed;
}
