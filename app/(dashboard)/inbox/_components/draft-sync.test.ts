import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DraftApi, type DraftClash, type DraftState, DraftSync, type ServerDraft } from './draft-sync';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });
const unreachable = () => new TypeError('Failed to fetch');

/** A server with one draft, and devices that share it. */
function desk() {
  const server: { draft: ServerDraft<string> | null; saves: string[]; failures: unknown[]; isLate: boolean } = {
    ...{ draft: null, saves: [], failures: [], isLate: false },
  };
  let ids = 0;
  const api: DraftApi<string> = {
    async save(id, values, revision) {
      server.saves.push(values);
      const failure = server.failures.shift();
      if (failure && !server.isLate) throw failure;
      if (revision !== null && (server.draft?.id !== id || server.draft.revision !== revision))
        throw refusal('precondition_failed');
      if (revision === null && server.draft && server.draft.id !== id) throw refusal('conflict');
      server.draft = { id, values, revision: (server.draft?.revision ?? 0) + 1 };
      if (failure) throw failure;
      return server.draft.revision;
    },
    async load() {
      return server.draft;
    },
    async remove(id) {
      if (server.draft?.id !== id) throw refusal('not_found');
      server.draft = null;
    },
  };
  const device = () => {
    const seen: { state: DraftState | null; clash: DraftClash<string> | null; replaced: (string | null)[] } = {
      ...{ state: null, clash: null, replaced: [] },
    };
    const sync = new DraftSync<string>({
      api,
      server: server.draft,
      newId: () => `id-${++ids}`,
      isSame: (one, other) => one === other,
      onState: (state) => {
        seen.state = state;
      },
      onClash: (clash) => {
        seen.clash = clash;
      },
      onReplaced: (values) => {
        seen.replaced.push(values);
      },
    });
    return { sync, seen };
  };
  return { server, device };
}

const pass = (milliseconds = 1_500) => vi.advanceTimersByTimeAsync(milliseconds);

test('a change that is taken back before it is saved is no change', async () => {
  const { server, device } = desk();
  const { sync, seen } = device();
  sync.touch('Hello');
  await pass();
  sync.touch('Hell');
  expect(seen.state).toBe('unsaved');
  sync.touch('Hello');
  expect(seen.state).toBe('saved');
  await pass();
  expect(server.saves).toEqual(['Hello']);
});

test('what is typed is saved a moment later, and again with its revision', async () => {
  const { server, device } = desk();
  const { sync, seen } = device();
  sync.touch('H');
  sync.touch('He');
  expect(seen.state).toBe('unsaved');
  await pass();
  expect(server).toMatchObject({ saves: ['He'], draft: { values: 'He', revision: 1 } });
  expect(seen.state).toBe('saved');
  sync.touch('Hello');
  await pass();
  expect(server.draft).toMatchObject({ values: 'Hello', revision: 2 });
  sync.touch('Hello');
  await pass();
  expect(server.saves).toHaveLength(2);
});

test('what is emptied is deleted, and what is typed after that is another draft', async () => {
  const { server, device } = desk();
  const { sync } = device();
  sync.touch('Hello');
  await pass();
  const first = server.draft?.id;
  sync.discard();
  await pass(0);
  expect(server.draft).toBeNull();
  sync.touch('Again');
  await pass();
  expect(server.draft).toMatchObject({ values: 'Again' });
  expect(server.draft?.id).not.toBe(first);
});

describe('without an answer', () => {
  test('it is tried again, later each time, and at once when the connection is back', async () => {
    const { server, device } = desk();
    server.failures = [unreachable(), unreachable(), unreachable()];
    const { sync, seen } = device();
    sync.touch('Hello');
    await pass();
    await pass(2_000);
    expect(server.saves).toHaveLength(2);
    await pass(2_000);
    expect(server.saves).toHaveLength(2);
    await pass(2_000);
    expect(server.saves).toHaveLength(3);
    expect(seen.state).toBe('unsaved');
    sync.saveNow();
    await pass(0);
    expect(server.draft?.values).toBe('Hello');
    expect(seen.state).toBe('saved');
  });

  test('a save that had arrived is no other device’s', async () => {
    const { server, device } = desk();
    const { sync, seen } = device();
    sync.touch('One');
    await pass();
    server.isLate = true;
    server.failures = [unreachable()];
    sync.touch('Two');
    await pass();
    sync.touch('Three');
    await pass(2_000);
    await pass();
    expect(seen.clash).toBeNull();
    expect(server.draft).toMatchObject({ values: 'Three', revision: 3 });
  });
});

test('what is refused is tried again once it is changed', async () => {
  const { server, device } = desk();
  server.failures = [refusal('invalid_request')];
  const { sync, seen } = device();
  sync.touch('Hello');
  await pass(60_000);
  expect(server.saves).toHaveLength(1);
  expect(seen.state).toBe('unsaved');
  sync.touch('Hello!');
  await pass();
  expect(seen.state).toBe('saved');
});

describe('another device', () => {
  /** Two devices with the same draft. */
  async function two() {
    const { server, device } = desk();
    const first = device();
    first.sync.touch('Hello');
    await pass();
    return { server, mine: first, theirs: device() };
  }

  test('that has changed it is followed where nothing was typed', async () => {
    const { server, mine, theirs } = await two();
    theirs.sync.touch('Hello from there');
    await pass();
    mine.sync.receive(server.draft);
    expect(mine.seen).toMatchObject({ replaced: ['Hello from there'], clash: null });
    mine.sync.touch('Hello from here');
    await pass();
    expect(server.draft?.values).toBe('Hello from here');
  });

  test.each([
    ['mine', 'keepMine'],
    ['theirs', 'takeTheirs'],
  ] as const)('that has changed it at the same time is asked about: %s', async (kept, resolve) => {
    const { server, mine, theirs } = await two();
    theirs.sync.touch('theirs');
    await pass();
    mine.sync.touch('mine');
    await pass();
    expect(mine.seen.clash).toMatchObject({ kind: 'changed', theirs: { values: 'theirs' } });
    expect(server.draft?.values).toBe('theirs');
    mine.sync[resolve]();
    await pass();
    expect(server.draft?.values).toBe(kept);
    expect(mine.seen.clash).toBeNull();
    expect(mine.seen.replaced).toEqual(kept === 'mine' ? [] : ['theirs']);
  });

  test('that has sent it ends it where nothing was typed, and asks otherwise', async () => {
    const { server, mine, theirs } = await two();
    server.draft = null;
    theirs.sync.receive(null);
    await pass(0);
    expect(theirs.seen.replaced).toEqual([null]);
    mine.sync.touch('More');
    await pass();
    expect(mine.seen.clash).toEqual({ kind: 'gone' });
    mine.sync.keepMine();
    await pass();
    expect(server).toHaveProperty('draft.values', 'More');
  });

  test('that has begun a draft in the same place is asked about', async () => {
    const { server, device } = desk();
    const [mine, theirs] = [device(), device()];
    theirs.sync.touch('theirs');
    await pass();
    mine.sync.touch('mine');
    await pass();
    expect(mine.seen.clash).toMatchObject({ kind: 'changed', theirs: { values: 'theirs' } });
    mine.sync.keepMine();
    await pass();
    expect(server.draft).toMatchObject({ values: 'mine', revision: 2 });
  });

  test('does not end a draft that was saved while it was asked', async () => {
    const { server, device } = desk();
    const { sync, seen } = device();
    sync.touch('Hello');
    await pass();
    sync.receive(null);
    await pass(0);
    expect(seen.replaced).toEqual([]);
    expect(server.draft?.values).toBe('Hello');
  });
});

test('sending waits for a save under way, and nothing is saved after it', async () => {
  const { server, device } = desk();
  const { sync } = device();
  sync.touch('Hello');
  await pass();
  sync.touch('Hello, Ann');
  expect(await sync.settle()).toBe(server.draft?.id);
  await pass(60_000);
  expect(server.draft?.values).toBe('Hello');
  server.draft = null;
  sync.forget();
  await pass(60_000);
  expect(server.saves).toEqual(['Hello']);
  sync.touch('Next');
  await pass();
  expect(server.saves).toEqual(['Hello', 'Next']);
});

test('a draft that this device has kept is saved, or asked about if another one has gone on', async () => {
  const { server, device } = desk();
  const first = device();
  first.sync.touch('Hello');
  await pass();
  const again = device();
  again.sync.resume('Hello offline', 'id-1', 1);
  await pass();
  expect(server.draft?.values).toBe('Hello offline');
  const late = device();
  late.sync.resume('Late', 'id-1', 1);
  expect(late.seen.clash).toMatchObject({ kind: 'changed', theirs: { values: 'Hello offline' } });
});

test('what was typed until the form is left is saved, and what fails then is not tried again', async () => {
  const { server, device } = desk();
  const { sync } = device();
  sync.touch('Hello');
  vi.advanceTimersByTime(1_500);
  sync.touch('Hello, Ann');
  sync.end();
  await pass(0);
  expect(server.draft).toMatchObject({ values: 'Hello, Ann', revision: 2 });
  const late = device();
  server.failures = [unreachable()];
  late.sync.touch('Lost');
  late.sync.end();
  await pass(60_000);
  expect(server.saves).toHaveLength(3);
});
