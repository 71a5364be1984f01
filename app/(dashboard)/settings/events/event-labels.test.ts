import { expect, test } from 'vitest';
import { callerAs } from '@/server/testing/caller';
import {
  fieldChanges,
  followCommand,
  groupTypes,
  matchesPattern,
  objectLink,
  objectName,
  typeChoices,
  typeLabel,
} from './_components/event-labels';

const caller = callerAs({ kind: 'session', userId: '', sessionId: '', identityId: 'any', role: 'owner' });
const { types: eventTypes } = await caller.webhooks.eventTypes({});

test.each([
  ['customer.created', 'Customer created'],
  ['api_key.rotated', 'API key rotated'],
  ['blog.post.published', 'Post published'],
  ['calendar.invitee.responded', 'Invitee responded'],
  ['usage.threshold_reached', 'Usage threshold reached'],
  ['work_order.created', 'Work order created'],
  ['agent.hitl.updated', 'Agent escalation steps updated'],
])('%s is called %s', (type, label) => expect(typeLabel(type)).toBe(label));

test('every type of event has words', () => {
  for (const { type } of eventTypes) expect(typeLabel(type)).toMatch(/^[A-Z][A-Za-z ]+$/);
});

test('types are grouped by what they are about', () => {
  const types = ['customer.created', 'customer.deleted', 'webhook.disabled'].map((type) => ({ type }));
  expect(groupTypes(types).map(({ group, types: { length } }) => [group, length])).toEqual([
    ['customer', 2],
    ['webhook', 1],
  ]);
  expect(typeChoices(types)).toEqual([
    { value: 'customer.*', label: 'All customer events' },
    { value: 'customer.created', label: 'Customer created' },
    { value: 'customer.deleted', label: 'Customer deleted' },
    { value: 'webhook.disabled', label: 'Webhook disabled' },
  ]);
});

test('patterns match whole parts of a type', () => {
  expect(['*', 'blog.*', 'blog.post.*', 'blog.post.created'].map((each) => matchesPattern('blog.post.created', each))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['blog', 'blog.post', 'blog.p.*', 'customer.*'].some((each) => matchesPattern('blog.post.created', each))).toBe(false);
});

const object = { type: 'x', id: '1', version: 1 };
const named = (fields: Record<string, unknown>) => objectName({ object, data: { object: fields as never } });

test('an object has the name that people give it', () => {
  expect(named({ company: 'Quark', contacts: [{ displayName: 'Ann' }] })).toBe('Quark');
  const contacts = [{ email: 'b@quark.example' }, { displayName: 'Ann', email: 'ann@quark.example', isPrimary: true }];
  expect(named({ company: '', contacts })).toBe('Ann');
  expect(named({ company: ' ', contacts: contacts.slice(0, 1) })).toBe('b@quark.example');
  expect(named({ subject: 'Brakes' })).toBe('Brakes');
  expect(named({ title: 'Wet brakes', slug: 'wet' })).toBe('Wet brakes');
  expect(named({})).toBe('');
  expect(objectName({ object, data: { truncated: true, url: 'x' } })).toBe('');
});

test('an object is linked unless it was deleted', () => {
  const link = (type: string, fields: Record<string, unknown> = {}) =>
    objectLink({ type, object, data: { object: fields as never } })?.href;
  expect(link('customer.updated')).toBe('/customers/1');
  expect(link('customer.deleted')).toBeUndefined();
  expect(link('message.received', { conversationId: '2' })).toBe('/inbox/2');
  expect(link('message.received')).toBeUndefined();
  expect(link('calendar.event.created')).toBe('/calendar?event=1');
  expect(link('something.new')).toBeUndefined();
});

test('changes are the fields before and after, without the time of writing', () => {
  const data = { object: { company: 'New', updatedAt: '2' }, previousAttributes: { company: 'Old', updatedAt: '1', notes: 'x' } };
  expect(fieldChanges({ data })).toEqual([
    { field: 'company', before: 'Old', after: 'New' },
    { field: 'notes', before: 'x', after: null },
  ]);
  expect(fieldChanges({ data: { object: {} } })).toEqual([]);
});

test('the command has the filter of the page', () => {
  expect(followCommand('https://desk.example', 'customer.*')).toMatch(
    /"https:\/\/desk\.example\/api\/v1\/event-log\?after=now&wait=50&types=customer\.\*"$/,
  );
  expect(followCommand('https://desk.example', '')).not.toContain('types');
});
