import { v7 as uuidv7 } from 'uuid';
import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { batchOf, inBatches } from '@/server/platform/db/remove-in-batches';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { JobKind } from '@/server/platform/jobs/job';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { labelEvents } from './conversation.events.schema';
import { labelsMaximum } from './label.limits';
import type { CreateLabelInput, Label, LabelList, UpdateLabelInput } from './label.schema';

/**
 * Labels of conversations, shared by all members. A deleted one stays in the rows of conversations until a job has taken it out, which may
 * be many; until then they are read without it.
 */

const labelColumns = `l.id, l.identity_id AS "identityId", l.name, l.color, l.revision, l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

/** `GET /labels`: all of the business, by name. */
export async function listLabels({ identityId }: IdentityActor): Promise<LabelList> {
  const labels = await rows<Label>(pool(), {
    name: 'labels',
    isoTimes: true,
    text: `SELECT ${labelColumns} FROM conversation_labels l WHERE l.identity_id = $1 ORDER BY lower(l.name), l.id LIMIT ${labelsMaximum}`,
    values: [identityId],
  });
  return { labels, total: labels.length };
}

export const labelVersion: RecordVersion<{ labelId: string }, Label> = {
  lock: (db, { identityId }, { labelId }) =>
    lockRevision(db, {
      name: 'label-revision',
      text: 'SELECT revision FROM conversation_labels WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
      values: [identityId, labelId],
    }),
};

async function findLabel(db: Queryable, identityId: string, labelId: string): Promise<Label> {
  const [found] = await rows<Label>(db, {
    name: 'label-get',
    isoTimes: true,
    text: `SELECT ${labelColumns} FROM conversation_labels l WHERE l.identity_id = $1 AND l.id = $2`,
    values: [identityId, labelId],
  });
  if (!found) throw notFound();
  return found;
}

/** `GET /labels/{labelId}` @throws AppError not_found */
export function getLabel({ identityId }: IdentityActor, labelId: string): Promise<Label> {
  return findLabel(pool(), identityId, labelId);
}

/** @throws AppError conflict for a name that another label has */
async function refusingSameName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'conversation_labels_name_key') throw error;
    throw new AppError('conflict', 'There is another label with this name.', { details: { fields: { name: 'is taken' } } });
  }
}

/** `POST /labels` @throws AppError conflict for a name that another one has, or at 100 of them */
export function createLabel(actor: IdentityActor, input: CreateLabelInput): Promise<Label> {
  const { identityId } = actor;
  return refusingSameName(() =>
    transaction(actor, async (client) => {
      await serialize(client, 'labels', identityId);
      const [counted] = await rows<{ total: number }>(client, {
        name: 'labels-count',
        text: 'SELECT count(*)::int AS total FROM conversation_labels WHERE identity_id = $1',
        values: [identityId],
      });
      if (counted && counted.total >= labelsMaximum) {
        throw new AppError('conflict', `A business has at most ${labelsMaximum} labels.`);
      }
      const id = uuidv7();
      await client.query({
        name: 'label-insert',
        text: 'INSERT INTO conversation_labels (identity_id, id, name, color) VALUES ($1, $2, $3, $4)',
        values: [identityId, id, input.name.trim(), input.color],
      });
      const label = await findLabel(client, identityId, id);
      await emit(client, actor, change({ kind: labelEvents, type: 'label.created', id, object: label }));
      return label;
    }),
  );
}

/** `PATCH /labels/{labelId}` @throws AppError not_found; conflict for a name that another one has */
export function updateLabel(actor: IdentityActor, { labelId, name, color }: UpdateLabelInput): Promise<Label> {
  const { identityId } = actor;
  return refusingSameName(() =>
    transaction(actor, async (client) => {
      await labelVersion.lock(client, actor, { labelId });
      const previous = await findLabel(client, identityId, labelId);
      await client.query({
        name: 'label-update',
        text: `UPDATE conversation_labels SET name = coalesce($3, name), color = coalesce($4, color), updated_at = now()
          WHERE identity_id = $1 AND id = $2`,
        values: [identityId, labelId, name?.trim() ?? null, color ?? null],
      });
      const label = await findLabel(client, identityId, labelId);
      await emit(client, actor, change({ kind: labelEvents, type: 'label.updated', id: label.id, object: label, previous }));
      return label;
    }),
  );
}

/** `DELETE /labels/{labelId}`: conversations lose it. @throws AppError not_found */
export async function deleteLabel(actor: IdentityActor, labelId: string): Promise<void> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    const label = await findLabel(client, identityId, labelId);
    const { rowCount } = await client.query({
      name: 'label-delete',
      text: 'DELETE FROM conversation_labels WHERE identity_id = $1 AND id = $2',
      values: [identityId, labelId],
    });
    if (rowCount !== 1) throw notFound();
    await removeLabel.schedule(client, { key: labelId, payload: { identityId, labelId } });
    await emit(client, actor, change({ kind: labelEvents, type: 'label.deleted', id: label.id, object: label }));
  });
}

/**
 * Keeps labels from being deleted until the transaction ends.
 * @throws AppError invalid_request for one that the business does not have
 */
export async function requireLabels(db: Queryable, identityId: string, labelIds: readonly string[]): Promise<void> {
  if (labelIds.length === 0) return;
  const found = await rows<{ id: string }>(db, {
    name: 'labels-keep',
    text: 'SELECT id FROM conversation_labels WHERE identity_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE',
    values: [identityId, labelIds],
  });
  const known = new Set(found.map(({ id }) => id));
  const unknown = labelIds.flatMap((id, index) =>
    known.has(id.toLowerCase()) ? [] : [[`addLabels.${index}`, 'is not a label of this business']],
  );
  if (unknown.length > 0) throw invalidFields(Object.fromEntries(unknown));
}

interface LabelKey {
  identityId: string;
  labelId: string;
}

/** Conversations per transaction: each change is in the audit log. */
const batchSize = 500;

const removeLabel = new JobKind<LabelKey>('remove-label');

/** Takes a deleted label out of the rows of conversations. Repeatable. */
export const removeLabelJob = removeLabel.handledBy(async ({ payload: { identityId, labelId }, signal }) => {
  const condition = `identity_id = $1 AND label_ids @> ARRAY[$2]::uuid[] AND label_ids <> '{}'`;
  await inBatches(
    async (client, size) => {
      const { rowCount } = await client.query(
        `UPDATE conversations SET label_ids = array_remove(label_ids, $2), updated_at = now()
          WHERE ${batchOf('conversations', condition, size)}`,
        [identityId, labelId],
      );
      return rowCount ?? 0;
    },
    { batchSize, signal },
  );
});
