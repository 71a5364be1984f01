import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { findJob, running } from '@/server/testing/jobs';
import { deliver } from '@/server/testing/mail';
import { getConversation } from './conversation.service';
import { updateConversation, updateConversations } from './conversation-update.service';
import { conversationLabelsMaximum, labelsMaximum } from './label.limits';
import { createLabelInput } from './label.schema';
import { createLabel, deleteLabel, listLabels, removeLabelJob, updateLabel } from './label.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createFilledDesk>>;

const create = (desk: Desk, name: string) => createLabel(desk.actor, createLabelInput.parse({ name }));
const label = (desk: Desk, changes: { addLabels?: string[]; removeLabels?: string[] }, [conversationId = ''] = desk.ids) =>
  updateConversation(desk.actor, { conversationId, ...changes });
const namesOf = ({ labels }: { labels: { name: string }[] }) => labels.map(({ name }) => name);
const problemOf = (work: Promise<unknown>) => work.catch(({ code, details }) => details?.fields ?? code);

describe('labels', () => {
  test('are listed by name, which is unique, ignoring case', async () => {
    const desk = await createFilledDesk();
    const repairs = await create(desk, ' Repairs ');
    await create(desk, 'orders');
    expect(repairs).toMatchObject({ name: 'Repairs', color: 'gray', revision: 1 });
    expect(namesOf(await listLabels(desk.actor))).toEqual(['orders', 'Repairs']);
    expect(await problemOf(create(desk, 'ORDERS'))).toEqual({ name: 'is taken' });
    expect(await problemOf(updateLabel(desk.actor, { labelId: repairs.id, name: 'Orders' }))).toEqual({ name: 'is taken' });
    expect(await updateLabel(desk.actor, { labelId: repairs.id, color: 'teal' })).toMatchObject({
      name: 'Repairs',
      color: 'teal',
    });
  });

  test(`are at most ${labelsMaximum}, also when they are created at once`, async () => {
    const desk = await createFilledDesk();
    await pool().query(
      `INSERT INTO conversation_labels (identity_id, id, name, color) SELECT $1, gen_random_uuid(), 'Label ' || n, 'gray' FROM generate_series(2, $2::int) n`,
      [desk.identityId, labelsMaximum],
    );
    const created = await Promise.all(['A', 'B', 'C'].map((name) => problemOf(create(desk, name))));
    expect(created.filter((outcome) => outcome === 'conflict')).toHaveLength(2);
    expect((await listLabels(desk.actor)).total).toBe(labelsMaximum);
  });

  test('are added to conversations and removed, each once', async () => {
    const desk = await createFilledDesk();
    const [orders, repairs] = [await create(desk, 'Orders'), await create(desk, 'Repairs')];
    expect(namesOf(await label(desk, { addLabels: [repairs.id, orders.id, orders.id] }))).toEqual(['Orders', 'Repairs']);
    expect(namesOf(await label(desk, { addLabels: [orders.id], removeLabels: [repairs.id] }))).toEqual(['Orders']);
    expect(await desk.subjects({ labelId: orders.id })).toEqual(['First']);
    expect(await desk.subjects({ labelId: repairs.id })).toEqual([]);
    const ids = desk.ids.slice(0, 2);
    const events = await eventsOf(desk, () => updateConversations(desk.actor, { ids, addLabels: [orders.id] }));
    // The first one has it already.
    expect(events.map(({ data }) => data.object?.subject)).toEqual(['Second']);
    expect(await desk.subjects({ labelId: orders.id })).toEqual(['Second', 'First']);
  });

  test('of a conversation are known, and not too many', async () => {
    const desk = await createFilledDesk();
    const foreign = await create(await createFilledDesk(), 'Orders');
    expect(await problemOf(label(desk, { addLabels: [foreign.id] }))).toEqual({
      'addLabels.0': 'is not a label of this business',
    });
    const ids: string[] = [];
    for (let index = 0; index <= conversationLabelsMaximum; index += 1) ids.push((await create(desk, `Label ${index}`)).id);
    await label(desk, { addLabels: ids.slice(0, conversationLabelsMaximum) });
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    expect(await problemOf(label(desk, { addLabels: [last] }))).toEqual({
      addLabels: `can’t be more than ${conversationLabelsMaximum} with those that it has`,
    });
    expect((await label(desk, { addLabels: [last], removeLabels: [first] })).labels).toHaveLength(conversationLabelsMaximum);
  });

  test('are in no conversation once they are deleted, and a job takes them out', async () => {
    const desk = await createFilledDesk();
    const orders = await create(desk, 'Orders');
    await label(desk, { addLabels: [orders.id] });
    await deleteLabel(desk.actor, orders.id);
    expect(await getConversation(desk.actor, desk.ids[0] ?? '')).toMatchObject({ labels: [] });
    expect(await problemOf(label(desk, { addLabels: [orders.id] }))).toEqual({
      'addLabels.0': 'is not a label of this business',
    });
    const job = await findJob<object>(removeLabelJob, orders.id);
    await removeLabelJob.run(running(job?.payload ?? {}));
    const { rows } = await pool().query('SELECT label_ids AS ids FROM conversations WHERE id = $1', [desk.ids[0]]);
    expect(rows).toEqual([{ ids: [] }]);
  });

  test('of conversations that are merged are kept', async () => {
    const desk = await createFilledDesk();
    const orders = await create(desk, 'Orders');
    const repairs = await create(desk, 'Repairs');
    const [first, second] = ['<one@x.example>', '<two@x.example>'];
    const one = await deliver({ headers: { 'Message-ID': first } }, { to: desk.address });
    const two = await deliver({ headers: { 'Message-ID': second } }, { to: desk.address });
    await label(desk, { addLabels: [orders.id] }, [one.conversationId]);
    await label(desk, { addLabels: [orders.id, repairs.id] }, [two.conversationId]);
    const { conversationId } = await deliver({ headers: { References: `${first} ${second}` } }, { to: desk.address });
    expect(namesOf(await getConversation(desk.actor, conversationId))).toEqual(['Orders', 'Repairs']);
  });
});
