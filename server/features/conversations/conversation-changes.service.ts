import type pg from 'pg';
import { type Change, change, emit } from '@/server/features/events/emit.service';
import type { Author } from '@/server/platform/actor';
import { type OwnAddresses, ownAddresses } from '../own-addresses/own-address.service';
import { readDetails } from './conversation.detail';
import { conversationEvents, type MessageEventType, messageEvents } from './conversation.events.schema';
import type { ConversationDetail } from './conversation.schema';
import type { MessageRecord } from './message.schema';

/** Conversations that are read in one statement, each with its people. */
const batchSize = 100;

/** What a transaction changes in the conversations of one identity, collected so that its events are written at once. */
export interface ConversationChanges {
  /** Notes the state of conversations before they change. The caller holds the locks of their rows. */
  before(ids: readonly string[]): Promise<void>;
  /** A new conversation. */
  created(id: string): void;
  /** Conversations that have become part of another one. */
  merged(ids: readonly string[], survivorId: string): void;
  /** Conversations that are permanently deleted; call `before` for them first. */
  deleted(ids: readonly string[]): void;
  message(type: MessageEventType, message: MessageRecord, previous?: MessageRecord): void;
  /** Writes the events. Call it last. @returns the conversations afterwards, by id */
  write(author: Author): Promise<Map<string, ConversationDetail>>;
}

/** @param given the addresses of the identity, if they are at hand */
export function conversationChanges(client: pg.PoolClient, identityId: string, given?: OwnAddresses): ConversationChanges {
  let own = given;
  const stored = new Map<string, ConversationDetail>();
  const survivors = new Map<string, string>();
  const created: string[] = [];
  const deleted = new Set<string>();
  const messages: Change[] = [];

  async function read(ids: readonly string[], options?: { withTasks?: boolean }): Promise<Map<string, ConversationDetail>> {
    own ??= await ownAddresses(client, identityId);
    const found = new Map<string, ConversationDetail>();
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = await readDetails(client, identityId, ids.slice(start, start + batchSize), own, options);
      for (const [id, detail] of batch) found.set(id, detail);
    }
    return found;
  }

  /** Tasks are not changed here, so those of a conversation that nothing was merged into are known. */
  async function readAfter(): Promise<Map<string, ConversationDetail>> {
    const kept = [...stored.keys()].filter((id) => !survivors.has(id) && !deleted.has(id));
    const after = await read([...created, ...kept], { withTasks: survivors.size > 0 });
    if (survivors.size > 0) return after;
    return new Map([...after].map(([id, detail]) => [id, { ...detail, linkedTasks: stored.get(id)?.linkedTasks ?? [] }]));
  }

  return {
    before: async (ids) => {
      const unknown = ids.filter((id) => !stored.has(id) && !created.includes(id));
      for (const [id, detail] of await read(unknown)) stored.set(id, detail);
    },
    created: (id) => void created.push(id),
    merged: (ids, survivorId) => {
      for (const id of ids) survivors.set(id, survivorId);
    },
    deleted: (ids) => {
      for (const id of ids) deleted.add(id);
    },
    message: (type, message, previous) =>
      void messages.push(
        change({ kind: messageEvents, type, id: message.id, object: message, previous, isNew: previous === undefined }),
      ),
    write: async (author) => {
      const after = await readAfter();
      const changeOf = (type: keyof typeof conversationEvents.types, id: string, previous?: ConversationDetail): Change[] => {
        const object = after.get(survivors.get(id) ?? id);
        return object ? [change({ kind: conversationEvents, type, id, object, previous })] : [];
      };
      await emit(
        client,
        author,
        [
          ...created.flatMap((id) => changeOf('conversation.created', id)),
          ...messages,
          ...[...stored].flatMap(([id, previous]) =>
            deleted.has(id)
              ? [change({ kind: conversationEvents, type: 'conversation.deleted', id, object: previous })]
              : changeOf('conversation.updated', id, previous),
          ),
        ],
        { identityId },
      );
      return after;
    },
  };
}
