import { expect, it, vi } from 'vitest';
import { openSession, refusal, stored, unreachable, withClockAndStorage } from './testing/fake-post-server';

withClockAndStorage();

it('tries again by itself while the server can not be reached, and at once when the connection is back', async () => {
  const { server, session } = openSession(stored);
  server.fail.push(unreachable, unreachable, unreachable);
  session.change({ content: 'Offline' });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(session.view()).toMatchObject({ isDirty: true, isKept: true, failure: { isUnreachable: true } });
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.fail).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server.fail).toHaveLength(0);
  session.retryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.view()).toMatchObject({ isDirty: false, failure: null });
});

it('recognises its own words where a save got through and the answer did not', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Got through' });
  server.fail.push(() => {
    server.edit({ content: 'Got through' });
    return unreachable();
  });
  await session.save();
  // The next request is lost, and the one after that gets the other revision.
  server.fail.push(unreachable);
  session.change({ content: 'Got through, and more' });
  await session.save();
  session.change({ content: 'Got through, and yet more' });
  expect(await session.save()).toBe(true);
  expect(server.post?.content).toBe('Got through, and yet more');
});

it('sends a creation that was not answered again as it was, and then what was typed since', async () => {
  const { server, session } = openSession(null);
  const sent: object[] = [];
  const lose = () => {
    sent.push(session.view().values);
    return unreachable();
  };
  server.fail.push(lose, () => refusal('idempotency_running'));
  session.change({ title: 'Wet brakes', content: 'Clean' });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(sent).toMatchObject([{ content: 'Clean' }]);
  session.change({ content: 'Clean them' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.calls).toEqual([{ title: 'Wet brakes', content: 'Clean', authorName: 'Harbor Lane' }, { content: 'Clean them' }]);
  expect(session.view()).toMatchObject({ isDirty: false, failure: null });
});

it('sends a creation that was refused as it stands by then', async () => {
  const { server, session } = openSession(null);
  server.fail.push(unreachable, () => refusal('invalid_request', { fields: { content: 'is too long' } }));
  session.change({ title: 'Wet brakes', content: 'Clean' });
  expect(await session.save()).toBe(false);
  await session.save();
  session.change({ content: 'Clean them' });
  expect(await session.save()).toBe(true);
  expect(server.calls).toEqual([{ title: 'Wet brakes', content: 'Clean them', authorName: 'Harbor Lane' }]);
});
