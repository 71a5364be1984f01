import { expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { writePost } from '@/server/testing/blog';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { createAgent } from '../agents/agent.service';
import { createApiKey } from '../api-keys/api-key.service';
import { updateConversation } from '../conversations/conversation-update.service';
import { createCustomerInput } from '../customers/customer.schema';
import { createCustomer } from '../customers/customer.service';
import { foundRecordsSchema, type RecordKind, recordKinds, searchRecordsInput } from './search.schema';
import { searchRecords } from './search.service';

withFreshDatabase();

async function search(actor: IdentityActor, query: string, limit = 5) {
  const answer = await searchRecords(actor, searchRecordsInput.parse({ query, limit }));
  expect(foundRecordsSchema.parse(answer)).toEqual(answer);
  return answer;
}

/** The titles of the results, by kind. */
async function titles(actor: IdentityActor, query: string): Promise<Partial<Record<RecordKind, string[]>>> {
  const { groups } = await search(actor, query);
  return Object.fromEntries(groups.map(({ kind, records }) => [kind, records.map(({ title }) => title)]));
}

let contacts = 0;

const addCustomer = (actor: IdentityActor, fields: Record<string, unknown>) =>
  createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: `c${contacts++}@outside.example` }], ...fields }));

/** An identity that has one record of each kind, each named `name`. */
async function withOneOfEach(name: string) {
  const desk = await createTestDesk();
  const { actor } = desk;
  await addCustomer(actor, { company: name });
  await deliver({ headers: { Subject: name } }, { to: desk.address });
  await createTestEvent(actor, { title: name });
  await createAgent(actor, { name, kind: 'assistant', roleId: 'search-test' });
  await writePost(actor, { title: name });
  await createApiKey(actor, { name, expiresAt: null });
  return desk;
}

test('finds records of every kind by a part of their name, ignoring case', async () => {
  const { actor } = await withOneOfEach('Velvet Harbour');
  expect(await titles(actor, 'vet harbs')).toEqual({});
  const all = Object.fromEntries(recordKinds.map((kind) => [kind, ['Velvet Harbour']]));
  for (const query of ['VET harb', 'harbour velvet', 'Havlet', 'velvt', 'habrour velvte']) {
    expect(await titles(actor, query), query).toEqual(query === 'Havlet' ? {} : all);
  }
});

test('typing errors are forgiven only where nothing is found without', async () => {
  const { actor } = await createTestIdentity();
  for (const title of ['Velvet', 'Vlevet']) await writePost(actor, { title });
  expect(await titles(actor, 'velvet')).toEqual({ post: ['Velvet'] });
  expect((await titles(actor, 'vevlet')).post?.toSorted()).toEqual(['Velvet']);
});

test('events are found by where they are, too', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { title: 'Fitting', location: 'Harbour Workshop' });
  expect(await titles(actor, 'workshop fitting')).toEqual({ event: ['Fitting'] });
});

test('leaves out what a key may not read', async () => {
  const { apiKeyActor } = await withOneOfEach('Velvet Harbour');
  const found = await titles({ ...apiKeyActor, scopes: ['blog:write', 'calendar:read'] }, 'velvet');
  expect(Object.keys(found).sort()).toEqual(['event', 'post']);
});

test("never finds a record of somebody else's", async () => {
  await withOneOfEach('Secret Lagoon');
  const { actor } = await createTestIdentity();
  expect(await search(actor, 'Secret Lagoon')).toEqual({ groups: [], late: [] });
});

test.each(['100%', 'a_b', 'c\\d', '%%', '__', '\\\\'])('takes %s literally', async (text) => {
  const { actor } = await withOneOfEach(`Before ${text} after`);
  await withOneOfEach('Before 100 axb cd after');
  const other = await addCustomer(actor, { company: 'Before 1000 axb cxd after' });
  await createTestEvent(actor, { title: other.company });
  await writePost(actor, { title: other.company });
  const found = await titles(actor, text);
  expect(Object.keys(found).sort()).toEqual([...recordKinds].sort());
  for (const kind of recordKinds) expect(found[kind], kind).toEqual([`Before ${text} after`]);
});

test('finds a customer by name and address of any of its contacts, and each only once', async () => {
  const { actor } = await createTestIdentity();
  const { id } = await addCustomer(actor, {
    company: 'Quark Labs',
    contacts: [
      { email: 'ann@quark.example', displayName: 'Ann Quark' },
      { email: 'billing@elsewhere.example', displayName: 'Bodo Bill' },
    ],
  });
  for (const query of ['quark', 'Bodo', 'billing@else']) {
    const { groups } = await search(actor, query);
    expect(groups.map(({ kind, records }) => [kind, records.map((record) => record.id)])).toEqual([['customer', [id]]]);
  }
  const [byContact] = (await search(actor, 'bodo')).groups;
  expect(byContact?.records).toMatchObject([{ title: 'Quark Labs', detail: 'Bodo Bill · Ann Quark · ann@quark.example' }]);
});

test('finds conversations in all folders, and says where', async () => {
  const desk = await createTestDesk();
  const one = await deliver({ headers: { Subject: 'Kept offer' } }, { to: desk.address });
  const other = await deliver({ headers: { Subject: 'Bad offer' } }, { to: desk.address });
  await updateConversation(desk.actor, { conversationId: one.conversationId, isArchived: true });
  await updateConversation(desk.actor, { conversationId: other.conversationId, isSpam: true });
  const third = await deliver({ headers: { Subject: 'New offer' } }, { to: desk.address });
  const [found] = (await search(desk.actor, 'offer')).groups;
  const detailOf = (id: string | null) => found?.records.find((record) => record.id === id)?.detail;
  expect(detailOf(one.conversationId)).toMatch(/^Archived · /);
  expect(detailOf(other.conversationId)).toMatch(/^Spam · /);
  expect(detailOf(third.conversationId)).not.toMatch(/Archived|Spam/);
});

test('gives a few of each kind and says where there are more', async () => {
  const { actor } = await createTestIdentity();
  for (const number of [1, 2, 3]) await writePost(actor, { title: `Wheels ${number}` });
  const [some] = (await search(actor, 'wheels', 2)).groups;
  expect(some).toMatchObject({ kind: 'post', hasMore: true });
  expect(some?.records).toHaveLength(2);
  const [all] = (await search(actor, 'wheels', 3)).groups;
  expect(all).toMatchObject({ kind: 'post', hasMore: false });
});

test('says when an event is', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { title: 'Fitting', startTime: '2026-11-24T09:00:00Z', location: 'Workshop' });
  const [group] = (await search(actor, 'fitting')).groups;
  expect(group?.records).toMatchObject([{ title: 'Fitting', detail: 'Workshop', at: '2026-11-24T09:00:00.000Z' }]);
});

test('one character, white space around it or not, finds nothing', async () => {
  const { actor } = await withOneOfEach('Q');
  expect(await search(actor, ' Q ')).toEqual({ groups: [], late: [] });
  expect(searchRecordsInput.safeParse({ query: '   ' }).success).toBe(false);
});

test('names the kinds that took too long instead of waiting for them', async () => {
  const { actor } = await withOneOfEach('Velvet Harbour');
  const answer = await searchRecords(actor, { query: 'Velvet', limit: 5 }, 0);
  expect(answer.late.length).toBeGreaterThan(0);
  expect(answer.groups.length + answer.late.length).toBe(recordKinds.length);
});
