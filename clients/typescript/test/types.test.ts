import { expect, expectTypeOf, test } from 'vitest';
import {
  type Customer,
  createFrontdesk,
  type DownloadedFile,
  type Frontdesk,
  type OperationId,
  type OutputOf,
} from '../src/index.js';

/** Checked by `npm run types`; the functions are never called. */

const frontdesk: Frontdesk = createFrontdesk({ baseUrl: 'https://desk.example', apiKey: 'k' });

/** What a method answers unconditionally: its last overload. */
type Answered<Method extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;

const wrong = [
  // @ts-expect-error an id is needed
  () => frontdesk.customers.get(),
  // @ts-expect-error of type string
  () => frontdesk.customers.get({ id: 1 }),
  // @ts-expect-error contacts are needed
  () => frontdesk.customers.create({ company: 'Quark' }),
  // @ts-expect-error there is no such field
  () => frontdesk.customers.update({ id: '1', compny: 'Quark' }),
  // @ts-expect-error null is not a string here
  () => frontdesk.customers.update({ id: '1', company: null }),
  // @ts-expect-error no such status
  () => frontdesk.conversations.list({ status: 'open' }),
  // @ts-expect-error takes no input
  () => frontdesk.usage.stats({ limit: 1 }),
  // @ts-expect-error only writes have a key
  () => frontdesk.customers.get({ id: '1' }, { idempotencyKey: 'k' }),
  // @ts-expect-error only reads can be unmodified
  () => frontdesk.customers.update({ id: '1' }, { ifNoneMatch: '"1"' }),
  // @ts-expect-error only the identity takes merge patches
  () => frontdesk.customers.update({ id: '1' }, { mergePatch: true }),
  // @ts-expect-error the offset is the paging's business
  () => frontdesk.customers.listAll({ offset: 1 }),
  // @ts-expect-error might be null
  async () => (await frontdesk.customers.get({ id: '1' }, { ifNoneMatch: '"1"' })).company,
  // @ts-expect-error a key is needed
  () => createFrontdesk({ baseUrl: 'https://desk.example' }),
];

test('what is wrong does not compile', () => {
  expect(wrong).toHaveLength(13);
});

test('answers have the types of the document', () => {
  expectTypeOf<Answered<typeof frontdesk.customers.get>>().toEqualTypeOf<Customer>();
  expectTypeOf(frontdesk.customers.create).returns.resolves.toEqualTypeOf<Customer>();
  expectTypeOf<Answered<typeof frontdesk.conversations.attachment>>().toEqualTypeOf<DownloadedFile>();
  expectTypeOf<Answered<typeof frontdesk.blog.list>>().toEqualTypeOf<OutputOf<'blog-list'>>();
  expectTypeOf(frontdesk.customers.listAll).returns.toEqualTypeOf<AsyncGenerator<Customer, void, undefined>>();
  expectTypeOf<OutputOf<Exclude<OperationId, 'conversations-attachment'>>>().not.toBeAny();
});

test('what was read can be written back', () => {
  const back = (customer: Customer) => frontdesk.customers.update(customer);
  expectTypeOf(back).returns.resolves.toEqualTypeOf<Customer>();
});
