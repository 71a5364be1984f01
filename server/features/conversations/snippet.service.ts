import { v7 as uuidv7 } from 'uuid';
import { customers, externalContacts } from '@/server/features/customers/customer.sql';
import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { identities, publicUserName, users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { requireStorage } from '../usage/quota.service';
import { snippetEvents } from './conversation.events.schema';
import type {
  CreateSnippetInput,
  FilledSnippet,
  FillSnippetInput,
  Snippet,
  SnippetList,
  UpdateSnippetInput,
} from './snippet.schema';
import { fillSnippet, type SnippetValues, snippetsMaximum } from './snippet-text';
import { keepSnippetFiles } from './upload.service';

/** Texts that a business sends again and again, with variables and files. All members share them. */

const snippetColumns = `s.id, s.identity_id AS "identityId", s.name, s.text, (
    SELECT coalesce(json_agg(json_build_object(
        'id', a.id, 'filename', a.filename, 'contentType', a.content_type, 'size', a.size, 'sha256', a.sha256) ORDER BY given.position), '[]')
    FROM unnest(s.attachment_ids) WITH ORDINALITY AS given(id, position) JOIN attachments a ON a.identity_id = s.identity_id AND a.id = given.id
  ) AS attachments, s.revision, s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

/** `GET /snippets`: all of the business, by name. */
export async function listSnippets({ identityId }: IdentityActor): Promise<SnippetList> {
  const snippets = await rows<Snippet>(pool(), {
    name: 'snippets',
    isoTimes: true,
    text: `SELECT ${snippetColumns} FROM mail_snippets s WHERE s.identity_id = $1 ORDER BY lower(s.name), s.id LIMIT ${snippetsMaximum}`,
    values: [identityId],
  });
  return { snippets, total: snippets.length };
}

export const snippetVersion: RecordVersion<{ snippetId: string }, Snippet> = {
  lock: (db, { identityId }, { snippetId }) =>
    lockRevision(db, {
      name: 'snippet-revision',
      text: 'SELECT revision FROM mail_snippets WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
      values: [identityId, snippetId],
    }),
  // A file may have been deleted.
  others: ({ attachments }) => attachments,
};

async function findSnippet(db: Queryable, identityId: string, snippetId: string): Promise<Snippet> {
  const [found] = await rows<Snippet>(db, {
    name: 'snippet-get',
    isoTimes: true,
    text: `SELECT ${snippetColumns} FROM mail_snippets s WHERE s.identity_id = $1 AND s.id = $2`,
    values: [identityId, snippetId],
  });
  if (!found) throw notFound();
  return found;
}

/** `GET /snippets/{snippetId}` @throws AppError not_found */
export function getSnippet({ identityId }: IdentityActor, snippetId: string): Promise<Snippet> {
  return findSnippet(pool(), identityId, snippetId);
}

/** @throws AppError conflict for a name that another snippet has */
async function refusingSameName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'mail_snippets_name_key') throw error;
    throw new AppError('conflict', 'There is another snippet with this name.', { details: { fields: { name: 'is taken' } } });
  }
}

/**
 * `POST /snippets` @throws AppError invalid_request for an unknown attachment; conflict for a name that another one has, or at 200 of them;
 *   quota_exceeded
 */
export function createSnippet(actor: IdentityActor, input: CreateSnippetInput): Promise<Snippet> {
  const { identityId } = actor;
  return refusingSameName(() =>
    transaction(actor, async (client) => {
      await serialize(client, 'snippets', identityId);
      const { total } = await countSnippets(client, identityId);
      if (total >= snippetsMaximum) throw new AppError('conflict', `A business has at most ${snippetsMaximum} snippets.`);
      const attachmentIds = await keepSnippetFiles(client, actor, input.attachmentIds);
      const id = uuidv7();
      await client.query({
        name: 'snippet-insert',
        text: `INSERT INTO mail_snippets (identity_id, id, name, text, attachment_ids) VALUES ($1, $2, $3, $4, $5)`,
        values: [identityId, id, input.name.trim(), input.text, attachmentIds],
      });
      const snippet = await findSnippet(client, identityId, id);
      await emit(client, actor, change({ kind: snippetEvents, type: 'snippet.created', id, object: snippet }));
      await requireStorage(client, identityId);
      return snippet;
    }),
  );
}

async function countSnippets(db: Queryable, identityId: string): Promise<{ total: number }> {
  const [row] = await rows<{ total: number }>(db, {
    name: 'snippets-count',
    text: 'SELECT count(*)::int AS total FROM mail_snippets WHERE identity_id = $1',
    values: [identityId],
  });
  return row ?? { total: 0 };
}

/** `PATCH /snippets/{snippetId}` @throws AppError not_found, and as `createSnippet` */
export function updateSnippet(actor: IdentityActor, { snippetId, ...input }: UpdateSnippetInput): Promise<Snippet> {
  const { identityId } = actor;
  return refusingSameName(() =>
    transaction(actor, async (client) => {
      await snippetVersion.lock(client, actor, { snippetId });
      const previous = await findSnippet(client, identityId, snippetId);
      const attachmentIds = input.attachmentIds && (await keepSnippetFiles(client, actor, input.attachmentIds));
      await client.query({
        name: 'snippet-update',
        text: `UPDATE mail_snippets SET name = coalesce($3, name), text = coalesce($4, text), attachment_ids = coalesce($5::uuid[], attachment_ids),
            updated_at = now()
          WHERE identity_id = $1 AND id = $2`,
        values: [identityId, snippetId, input.name?.trim() ?? null, input.text ?? null, attachmentIds ?? null],
      });
      const snippet = await findSnippet(client, identityId, snippetId);
      await emit(
        client,
        actor,
        change({ kind: snippetEvents, type: 'snippet.updated', id: snippet.id, object: snippet, previous }),
      );
      await requireStorage(client, identityId);
      return snippet;
    }),
  );
}

/** `DELETE /snippets/{snippetId}` @throws AppError not_found */
export async function deleteSnippet(actor: IdentityActor, snippetId: string): Promise<void> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    const snippet = await findSnippet(client, identityId, snippetId);
    const { rowCount } = await client.query({
      name: 'snippet-delete',
      text: 'DELETE FROM mail_snippets WHERE identity_id = $1 AND id = $2',
      values: [identityId, snippetId],
    });
    if (rowCount !== 1) throw notFound();
    await emit(client, actor, change({ kind: snippetEvents, type: 'snippet.deleted', id: snippet.id, object: snippet }));
  });
}

/**
 * `GET /snippets/{snippetId}/text`: the text for a recipient, with the values of its variables.
 *
 * @throws AppError not_found; insufficient_scope for a key that names an address and may not read customers
 */
export async function fillSnippetFor(actor: IdentityActor, input: FillSnippetInput): Promise<FilledSnippet> {
  if (input.email !== undefined) requireScope(actor, 'customers:read');
  const { text, attachments } = await getSnippet(actor, input.snippetId);
  return { ...fillSnippet(text, await valuesFor(actor, input)), attachments };
}

interface ValuesRow {
  business: string | null;
  sender: string | null;
  customerName: string | null;
  company: string | null;
}

async function valuesFor(actor: IdentityActor, { email, displayName = null }: FillSnippetInput): Promise<SnippetValues> {
  const [row] = await rows<ValuesRow>(pool(), {
    name: 'snippet-values',
    text: `SELECT i.display_name AS business, (SELECT ${publicUserName} FROM ${users} u WHERE u.id = $2) AS sender,
        contact.display_name AS "customerName", contact.company
      FROM ${identities} i LEFT JOIN LATERAL (
        SELECT e.display_name, c.company FROM ${externalContacts} e
        LEFT JOIN ${customers} c ON c.identity_id = e.identity_id AND c.id = e.customer_id
        WHERE e.identity_id = i.id AND e.email = $3
      ) contact ON true WHERE i.id = $1`,
    values: [actor.identityId, actor.kind === 'session' ? actor.userId : null, email?.toLowerCase() ?? null],
  });
  const name = row?.customerName || displayName;
  return {
    'customer.name': name,
    'customer.firstName': name?.trim().split(/\s+/)[0] ?? null,
    'customer.email': email ?? null,
    'customer.company': row?.company ?? null,
    'business.name': row?.business ?? null,
    'sender.name': actor.kind === 'apiKey' ? (actor.agent?.name ?? null) : (row?.sender ?? null),
  };
}
