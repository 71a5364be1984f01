import { textQuery } from '@/server/platform/db/text-index';
import { attachmentFlag, parseSearchQuery } from './search-query';

/** Adds a value to a statement, and gives its name there. */
type Parameter = (value: unknown) => string;

/** What a search asks of the conversations `c`. */
export interface SearchConditions {
  /** Supported by an index on the order. */
  range: string[];
  filter: string[];
  /** Its words: a condition for a conversation, the ids of those that match it, and how well one does: by its best message. */
  words?: { condition: string; ids: string; score: string };
  /** False if no index supports it. */
  isIndexed: boolean;
}

/** What a word counts in the text, among the recipients, in the sender and in the subject. */
const weights = '{0.1, 0.2, 0.6, 1}';

/**
 * The conditions of a search. Words are looked for in one message, whose day has to be within the dates; without words, the newest message's
 * day has to be.
 */
export function searchConditions(identityId: string, text: string, parameter: Parameter): SearchConditions {
  const { conditions, hasAttachment, labels, after, before } = parseSearchQuery(text);
  const found: SearchConditions = { range: [], filter: [], isIndexed: labels.length > 0 };
  for (const name of labels) {
    const label = `(SELECT l.id FROM conversation_labels l WHERE l.identity_id = $1 AND lower(l.name) = lower(${parameter(name)}))`;
    found.filter.push(`c.label_ids @> ARRAY[${label}] AND c.label_ids <> '{}'`);
  }
  const compared = (time: string, operator: string, day?: string) =>
    day === undefined ? [] : [`${time} ${operator} ${parameter(`${day}T00:00:00Z`)}::timestamptz`];
  const isWithin = (time: string) => [...compared(time, '>=', after), ...compared(time, '<', before)];
  if (conditions.length === 0 && !hasAttachment) return { ...found, range: isWithin('c.last_message_at') };
  const terms = parameter(textQuery(identityId, conditions, hasAttachment ? [attachmentFlag] : []));
  const days = isWithin('m.created_at');
  const message = days.length > 0 ? ' JOIN messages m ON m.identity_id = s.identity_id AND m.id = s.message_id' : '';
  const matches = `message_search s${message} WHERE ${['s.identity_id = $1', `s.terms @@ ${terms}::tsquery`, ...days].join(' AND ')}`;
  const ofOne = `${matches} AND s.conversation_id = c.id`;
  return {
    ...found,
    // A conversation is as new as its newest message.
    range: compared('c.last_message_at', '>=', after),
    words: {
      // As a value, so that the planner can't turn it into a search of all messages.
      condition: `(SELECT true FROM ${ofOne} LIMIT 1)`,
      ids: `SELECT s.conversation_id AS id FROM ${matches}`,
      // In steps, within which the newest come first.
      score: `(SELECT round(5 * max(ts_rank('${weights}', s.terms, ${terms}::tsquery))) FROM ${ofOne})`,
    },
    isIndexed: true,
  };
}
