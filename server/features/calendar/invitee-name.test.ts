import { expect, test } from 'vitest';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

withFreshDatabase();
const call = withHttpServer();

interface EventAnswer {
  event: { id: string; invitees: { name: string }[] };
}

async function desk() {
  const { key } = await createTestIdentity();
  const send = (method: string, path: string, json: object) => call(method, `/api/v1/calendar/events${path}`, { key, json });
  const event = { title: 'Fitting', startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
  return {
    send,
    create: (invitee: object) => send('POST', '', { ...event, invitees: [{ email: 'ann@quark.example', ...invitee }] }),
  };
}

test.each([
  [{ displayName: 'Ann Quark' }, 'Ann Quark'],
  [{ name: 'Ann Quark' }, 'Ann Quark'],
  [{ name: 'Ann Quark', displayName: 'Ann Quark' }, 'Ann Quark'],
  [{}, ''],
])('an invitee given with %j is called %j, when created and when changed', async (given, name) => {
  const { create, send } = await desk();
  const created = await create(given);
  expect(created.status).toBe(201);
  const { event } = created.body as EventAnswer;
  expect(event.invitees).toMatchObject([{ name }]);
  expect(event.invitees[0]).not.toHaveProperty('displayName');
  const changed = await send('PATCH', `/${event.id}`, { invitees: [{ email: 'bob@quark.example', ...given }] });
  expect([changed.status, (changed.body as EventAnswer).event.invitees]).toMatchObject([200, [{ name }]]);
});

test('two different names are refused at the field', async () => {
  const { create } = await desk();
  const answer = await create({ name: 'Ann', displayName: 'Anna' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    details: { fields: { 'invitees.0.displayName': expect.stringContaining('same as name') } },
  });
});

test('the document has both names', () => {
  const { components } = rest.document() as {
    components: { schemas: Record<string, { properties?: object; required?: string[] }> };
  };
  const { InviteeInput } = components.schemas;
  expect(Object.keys(InviteeInput?.properties ?? {})).toEqual(expect.arrayContaining(['name', 'displayName']));
  expect(InviteeInput?.required).toEqual(['email']);
});
