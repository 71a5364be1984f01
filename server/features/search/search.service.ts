import type { IdentityActor } from '@/server/platform/actor';
import { isPermitted } from '@/server/platform/auth/access';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { wordsOfText } from '@/server/platform/db/text-index';
import { type SearchWord, wordsOf } from '@/server/platform/db/word-search';
import { AppError } from '@/server/platform/errors';
import { mayHaveTypos, type TextFinder, textFinder } from '@/server/platform/search-words';
import { listAgentsInput } from '../agents/agent.schema';
import { listAgents } from '../agents/agent.service';
import { listApiKeys } from '../api-keys/api-key.service';
import { listBlogPostsInput } from '../blog/blog-post.schema';
import { listBlogPosts } from '../blog/blog-post.service';
import { listConversationsInput } from '../conversations/conversation.schema';
import { listConversations } from '../conversations/conversation.service';
import { type CustomerRecord, listCustomersInput } from '../customers/customer.schema';
import { customerHit, listCustomers } from '../customers/customer.service';
import { findEventsByTitle } from './event-titles';
import {
  type FoundRecord,
  type FoundRecords,
  type RecordKind,
  recordKinds,
  type SearchRecordsInput,
  searchMinimum,
} from './search.schema';

/** Time limit while typing; kinds that take longer are left out. */
const patienceMilliseconds = 2_000;

/** Finds records of one kind: one more than `limit`, if there are as many. */
type Finder = (actor: IdentityActor, query: string, limit: number) => Promise<FoundRecord[]>;

/** Finds records that have each of some words. */
type WordFinder = (actor: IdentityActor, words: readonly SearchWord[], limit: number) => Promise<FoundRecord[]>;

/** Words as they are, or where nothing has them with a typing error. */
function byWords(find: WordFinder): Finder {
  return async (actor, query, limit) => {
    const exact = await find(actor, wordsOf(query), limit);
    if (exact.length > 0 || !mayHaveTypos(query)) return exact;
    // No more than are shown: the list of all matches would not have them.
    return find(actor, wordsOf(query, { isForgiving: true }), limit - 1);
  };
}

/** Joins mails, names and companies; skips empty parts. */
function joined(...parts: string[]): string {
  return parts.filter((part) => part.trim() !== '').join(' · ');
}

/** Shows where the search was found, else the primary contact and tags. */
function customerRecord(customer: CustomerRecord, search: string, finder: TextFinder): FoundRecord {
  const { id, company, contacts, tags } = customer;
  const contact = contacts.find(({ isPrimary }) => isPrimary) ?? contacts[0];
  const name = contact?.displayName.trim() ?? '';
  const title = company.trim() || name || contact?.email || '';
  const others = [name, contact?.email ?? ''].filter((part) => part !== title);
  const shown = joined(...others, tags.slice(0, 3).join(', '));
  const hit = customerHit(customer, { search, finder, shown: [title, shown] });
  const detail = hit ? joined(hit.label ? `${hit.label}: ${hit.text}` : hit.text, ...others) : shown;
  return { id, title, detail, at: null };
}

const findCustomers: Finder = async (actor, query, limit) => {
  const finder = textFinder(query);
  const { customers } = await listCustomers(actor, listCustomersInput.parse({ search: query, limit }));
  return customers.map((customer) => customerRecord(customer, query, finder));
};

/** In all folders; shows the folder unless it is the inbox. */
async function conversationsWith(
  actor: IdentityActor,
  filter: { query: string } | { words: readonly SearchWord[] },
  limit: number,
): Promise<FoundRecord[]> {
  const input = listConversationsInput.parse({ limit, isArchived: true, isSpam: true, sort: 'relevance' });
  const { conversations } = await listConversations(actor, { ...input, ...filter });
  return conversations.map(({ id, subject, counterpart, preview, isSpam, isArchived }) => ({
    id,
    title: subject,
    detail: joined(isSpam ? 'Spam' : isArchived ? 'Archived' : '', counterpart.displayName || counterpart.email, preview),
    at: null,
  }));
}

const findConversationsByParts = byWords((actor, words, limit) => conversationsWith(actor, { words }, limit));

/** By words anywhere in a message; where none has them, by parts of subject, preview, or the other side's name. */
const findConversations: Finder = async (actor, text, limit) => {
  // Without punctuation, nothing is an operator.
  const query = wordsOfText(text).join(' ');
  const exact = query === '' ? [] : await conversationsWith(actor, { query }, limit);
  return exact.length > 0 ? exact : findConversationsByParts(actor, text, limit);
};

const findEvents = byWords(async (actor, words, limit) => {
  const events = await findEventsByTitle(actor.identityId, words, limit);
  return events.map(({ id, title, location, startTime }) => ({ id, title, detail: location ?? '', at: startTime }));
});

const findAgents = byWords(async (actor, words, limit) => {
  const { agents } = await listAgents(actor, { ...listAgentsInput.parse({ limit }), words });
  return agents.map(({ id, name, kind, status }) => ({ id, title: name, detail: joined(kind, status), at: null }));
});

const findPosts = byWords(async (actor, words, limit) => {
  const { data } = await listBlogPosts(actor, { ...listBlogPostsInput.parse({ limit }), words });
  return data.posts.map(({ id, title, status }) => ({ id, title, detail: status, at: null }));
});

/** Among the keys of the key list, which is bounded. */
const findApiKeys: Finder = async (actor, query, limit) => {
  const finder = textFinder(query);
  const keys = (await listApiKeys(actor)).filter(({ name }) => finder.isIn([name]));
  return keys.slice(0, limit).map(({ id, name, prefix, last4, revokedAt }) => ({
    id,
    title: name,
    detail: joined(`${prefix}…${last4}`, revokedAt === null ? '' : 'revoked'),
    at: null,
  }));
};

/** The finder of each kind, and the scope without which the kind is left out. */
const finders: Record<RecordKind, { find: Finder; scope: Permission }> = {
  customer: { find: findCustomers, scope: 'customers:read' },
  conversation: { find: findConversations, scope: 'conversations:read' },
  event: { find: findEvents, scope: 'calendar:read' },
  agent: { find: findAgents, scope: 'agents:read' },
  post: { find: findPosts, scope: 'blog:read' },
  apiKey: { find: findApiKeys, scope: 'keys:write' },
};

/** What `finder` finds; null for a query that is too short for a list as long as this. */
async function findIn(finder: Finder, ...search: Parameters<Finder>): Promise<FoundRecord[] | null> {
  try {
    return await finder(...search);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  }
}

/** The result of `work`, or null after the time limit. */
async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Records of every kind with the words of `query`, a few of each; kinds are searched concurrently. A query of one character
 * finds nothing.
 *
 * @param patience time limit per kind in milliseconds
 */
export async function searchRecords(
  actor: IdentityActor,
  input: SearchRecordsInput,
  patience = patienceMilliseconds,
): Promise<FoundRecords> {
  const query = input.query.trim();
  if (query.length < searchMinimum) return { groups: [], late: [] };
  const readable = recordKinds.filter((kind) => isPermitted(actor, finders[kind].scope));
  const answers = await Promise.all(
    readable.map(async (kind) => ({
      kind,
      found: await withTimeout(findIn(finders[kind].find, actor, query, input.limit + 1), patience),
    })),
  );
  return {
    groups: answers.flatMap(({ kind, found }) =>
      found === null || found.length === 0
        ? []
        : [{ kind, records: found.slice(0, input.limit), hasMore: found.length > input.limit }],
    ),
    late: answers.filter(({ found }) => found === null).map(({ kind }) => kind),
  };
}
