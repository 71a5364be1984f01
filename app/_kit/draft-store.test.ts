import { describe, expect, it, vi } from 'vitest';
import {
  closeDrafts,
  countDrafts,
  DraftKeeper,
  draftKey,
  draftNames,
  followDraft,
  migrateOldDrafts,
  passDraft,
  readDraft,
  removeDraft,
  watchDrafts,
  writeDraft,
} from './draft-store';
import { forbiddenStorage, withBrowserStorage } from './testing/memory-storage';

const ann = { userId: 'ann', identityId: 'harbor' };
const asText = (stored: unknown) => (typeof stored === 'string' ? stored : null);

withBrowserStorage();

describe('a draft', () => {
  it('belongs to its account, its business and its form', () => {
    expect(writeDraft(draftKey(ann, 'customer.1'), 'typed')).toBe(true);
    expect(readDraft(draftKey(ann, 'customer.1'), asText)).toBe('typed');
    for (const key of [
      draftKey({ ...ann, userId: 'bob' }, 'customer.1'),
      draftKey({ ...ann, identityId: 'other' }, 'customer.1'),
      draftKey(ann, 'customer.2'),
    ])
      expect(readDraft(key, asText)).toBeNull();
    removeDraft(draftKey(ann, 'customer.1'));
    expect(readDraft(draftKey(ann, 'customer.1'), asText)).toBeNull();
  });

  it('is nothing that this version did not write', () => {
    for (const entry of ['', '{', 'null', '[]']) {
      window.localStorage.setItem('key', entry);
      expect(readDraft('key', asText)).toBeNull();
    }
  });

  it('does without a storage that is forbidden, full, or not there', () => {
    for (const store of [forbiddenStorage, null]) {
      expect(writeDraft('key', 'typed', store)).toBe(false);
      expect(readDraft('key', asText, store)).toBeNull();
      expect(() => removeDraft('key', store)).not.toThrow();
    }
  });

  it('is handed to the form that shows it, and told to who watches', () => {
    const [follower, watcher] = [vi.fn(), vi.fn()];
    const stop = [followDraft(draftKey(ann, 'reply.1'), follower), watchDrafts(watcher)];
    passDraft(draftKey(ann, 'reply.1'), 'back');
    expect(follower).toHaveBeenCalledWith('back');
    expect(watcher).toHaveBeenCalledOnce();
    for (const end of stop) end();
    passDraft(draftKey(ann, 'reply.1'), 'again');
    expect(follower).toHaveBeenCalledOnce();
  });
});

it('is kept a moment after typing, on request, and no longer once there is nothing to keep', () => {
  vi.useFakeTimers();
  let typed: string | null = 'one';
  const onKept = vi.fn();
  const keeper = new DraftKeeper(
    () => 'key',
    () => typed,
    onKept,
  );
  const stored = () => readDraft('key', asText);
  keeper.flush();
  expect(stored()).toBeNull();
  keeper.touch();
  vi.advanceTimersByTime(300);
  expect(stored()).toBe('one');
  typed = 'two';
  keeper.touch();
  keeper.flush();
  expect(stored()).toBe('two');
  keeper.touch();
  keeper.forget();
  vi.advanceTimersByTime(300);
  expect(stored()).toBeNull();
  keeper.keep();
  typed = null;
  keeper.keep();
  expect(stored()).toBeNull();
  expect(onKept.mock.calls.flat()).toEqual([true, true, false, true, false]);
  vi.useRealTimers();
});

it('names what is kept in a business', () => {
  for (const name of ['reply.1', 'reply.2', 'profile']) writeDraft(draftKey(ann, name), 'typed');
  writeDraft(draftKey({ ...ann, identityId: 'other' }, 'reply.3'), 'typed');
  expect(draftNames(ann, 'reply.').sort()).toEqual(['reply.1', 'reply.2']);
  expect(countDrafts('ann')).toBe(4);
});

it('is gone once its account signs out, and not written again by what is still on the page', () => {
  const carl = { userId: 'carl', identityId: 'harbor' };
  for (const scope of [ann, carl]) writeDraft(draftKey(scope, 'profile'), 'typed');
  closeDrafts('carl');
  expect(writeDraft(draftKey(carl, 'profile'), 'late')).toBe(false);
  expect([countDrafts('ann'), countDrafts('carl')]).toEqual([1, 0]);
});

it('takes over what earlier versions kept', () => {
  window.localStorage.setItem('frontdesk.reply.harbor.7', '"kept"');
  window.localStorage.setItem('frontdesk.reply.other.8', '"other"');
  migrateOldDrafts(ann);
  expect(readDraft(draftKey(ann, 'reply.7'), asText)).toBe('kept');
  expect(Object.keys(window.localStorage).sort()).toEqual([draftKey(ann, 'reply.7'), 'frontdesk.reply.other.8']);
});
