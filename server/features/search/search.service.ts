import type { IdentityActor } from '@/server/platform/actor';
import { isPermitted } from '@/server/platform/auth/access';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { AppError } from '@/server/platform/errors';
import { listAgentsInput } from '../agents/agent.schema';
import { listAgents } from '../agents/agent.service';
import { listApiKeys } from '../api-keys/api-key.service';
import { listBlogPostsInput } from '../blog/blog-post.schema';
import { listBlogPosts } from '../blog/blog-post.service';
import { listConversationsInput } from '../conversations/conversation.schema';
import { listConversations } from '../conversations/conversation.service';
import { type CustomerRecord, listCustomersInput } from '../customers/customer.schema';
import { listCustomers } from '../customers/customer.service';
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

/** Joins mails, names and companies; skips empty parts. */
function joined(...parts: string[]): string {
  return parts.filter((part) => part.trim() !== '').join(' · ');
}

function customerRecord({ id, company, contacts, tags }: CustomerRecord): FoundRecord {
  const contact = contacts.find(({ isPrimary }) => isPrimary) ?? contacts[0];
  const name = contact?.displayName.trim() ?? '';
  const title = company.trim() || name || contact?.email || '';
  const others = [name, contact?.email ?? ''].filter((part) => part !== title);
  return { id, title, detail: joined(...others, tags.slice(0, 3).join(', ')), at: null };
}

/** By company, notes and contacts; shows the matching contact, if it was one. */
const findCustomers: Finder = async (actor, query, limit) => {
  const wanted = query.toLowerCase();
  const { customers } = await listCustomers(actor, listCustomersInput.parse({ search: query, limit }));
  return customers.map((customer) => {
    const record = customerRecord(customer);
    const contact = customer.contacts.find(({ email, displayName }) => `${displayName} ${email}`.toLowerCase().includes(wanted));
    if (!contact) return record;
    const others = [contact.displayName, contact.email].filter((part) => part.trim() !== record.title);
    return { ...record, detail: joined(...others) };
  });
};

/** In all folders; shows the folder unless it is the inbox. */
const findConversations: Finder = async (actor, query, limit) => {
  const input = listConversationsInput.parse({ query, limit, isArchived: true, isSpam: true });
  const { conversations } = await listConversations(actor, input);
  return conversations.map(({ id, subject, counterpart, preview, isSpam, isArchived }) => ({
    id,
    title: subject,
    detail: joined(isSpam ? 'Spam' : isArchived ? 'Archived' : '', counterpart.displayName || counterpart.email, preview),
    at: null,
  }));
};

const findEvents: Finder = async (actor, query, limit) => {
  const events = await findEventsByTitle(actor.identityId, query, limit);
  return events.map(({ id, title, location, startTime }) => ({ id, title, detail: location ?? '', at: startTime }));
};

const findAgents: Finder = async (actor, query, limit) => {
  const { agents } = await listAgents(actor, listAgentsInput.parse({ query, limit }));
  return agents.map(({ id, name, kind, status }) => ({ id, title: name, detail: joined(kind, status), at: null }));
};

const findPosts: Finder = async (actor, query, limit) => {
  const { data } = await listBlogPosts(actor, listBlogPostsInput.parse({ search: query, limit }));
  return data.posts.map(({ id, title, status }) => ({ id, title, detail: status, at: null }));
};

/** Among the keys of the key list, which is bounded. */
const findApiKeys: Finder = async (actor, query, limit) => {
  const wanted = query.toLowerCase();
  const keys = (await listApiKeys(actor)).filter(({ name }) => name.toLowerCase().includes(wanted));
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
 * Records of every kind with `query` in their name, a few of each; kinds are searched concurrently. A query of one character
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
