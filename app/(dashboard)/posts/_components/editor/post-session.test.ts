import { expect, it, vi } from 'vitest';
import { writeDraft } from '@/app/_kit/draft-store';
import { postDraftKey } from './post-draft';
import { valuesOf } from './post-values';
import { draftOf, openSession, refusal, scope, stored, unreachable, withClockAndStorage } from './testing/fake-post-server';

withClockAndStorage();

it('keeps a draft at once, saves it a moment after typing stops, and then keeps it no longer', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Clean the rims. T' });
  await vi.advanceTimersByTimeAsync(300);
  expect(draftOf()?.values.content).toBe('Clean the rims. T');
  session.change({ content: 'Clean the rims. Then dry them.' });
  await vi.advanceTimersByTimeAsync(1_400);
  expect(server.calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(server.calls).toEqual([{ content: 'Clean the rims. Then dry them.' }]);
  expect(session.view()).toMatchObject({ isDirty: false, isSaving: false, failure: null });
  expect(draftOf()).toBeNull();
});

it('creates a new post once it has a title and a text, and goes on with that post', async () => {
  const { server, session } = openSession(null, true);
  session.change({ title: 'Wet brakes' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.calls).toEqual([]);
  expect(session.view().fieldErrors).toEqual({});
  expect(draftOf(null)?.values.title).toBe('Wet brakes');
  session.change({ content: 'Clean' });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.calls).toEqual([{ title: 'Wet brakes', content: 'Clean', authorName: 'Harbor Lane' }]);
  expect(session.view().values.slug).toBe('made-by-server');
  expect(draftOf(null)).toBeNull();
  session.change({ content: 'Clean them' });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.calls.at(-1)).toEqual({ content: 'Clean them' });
});

it('says what is missing of a new post when it is saved by hand', async () => {
  const { session } = openSession(null, true);
  session.change({ content: 'Clean' });
  expect(await session.save()).toBe(false);
  expect(session.view().fieldErrors).toEqual({ title: 'must not be empty' });
  session.change({ title: 'W' });
  expect(session.view().fieldErrors).toEqual({});
});

it('saves a published post only when asked, and keeps it meanwhile', async () => {
  const { server, session } = openSession({ ...stored, status: 'published' });
  session.change({ content: 'Clean the rims well.' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.calls).toEqual([]);
  expect(session.view()).toMatchObject({ isDirty: true, isKept: true });
  expect(await session.save()).toBe(true);
  expect(server.calls).toEqual([{ content: 'Clean the rims well.' }]);
});

it('holds an address that was written or is public when the title changes', async () => {
  const { server, session } = openSession(stored);
  session.change({ title: 'Wet brakes and rims' });
  await session.save();
  expect(server.calls).toEqual([{ title: 'Wet brakes and rims', slug: 'wet-brakes' }]);
  const drafted = openSession(stored, true);
  drafted.session.change({ title: 'Wet brakes and rims' });
  await drafted.session.save();
  expect(drafted.server.calls).toEqual([{ title: 'Wet brakes and rims' }]);
});

it('lets an address follow the title until it is written, and again once it is emptied', async () => {
  const { server, session } = openSession(stored, true);
  session.change({ slug: stored.slug, excerpt: 'Beside an address that stays' });
  expect(session.view().followsTitle).toBe(true);
  session.change({ slug: 'written' });
  await session.save();
  expect(session.view().followsTitle).toBe(false);
  session.change({ slug: '' });
  expect(session.view().followsTitle).toBe(true);
  expect(await session.save()).toBe(true);
  expect(server.post?.slug).toBe('written');
  expect(session.view().values.slug).toBe('written');
});

it('does not lose what is typed while a save is on its way', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'One' });
  const saving = session.save();
  session.change({ content: 'One two' });
  expect(await saving).toBe(false);
  expect(session.view().values.content).toBe('One two');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.calls).toEqual([{ content: 'One' }, { content: 'One two' }]);
});

it('saves everything else while one field can not be saved', async () => {
  const { server, session } = openSession(stored);
  session.change({ coverImageUrl: 'htt', content: 'More' });
  expect(await session.save()).toBe(false);
  expect(server.calls).toEqual([{ content: 'More' }]);
  expect(session.view().fieldErrors).toEqual({ coverImageUrl: 'must be a URL that starts with http:// or https://' });
  expect(session.view().values.coverImageUrl).toBe('htt');
});

it('shows a taken address at its field, saves the rest, and does not ask for that address again', async () => {
  const { server, session } = openSession(stored);
  server.fail.push(() => refusal('slug_taken', { fields: { slug: 'is taken' } }));
  session.change({ slug: 'taken', title: 'Rims' });
  expect(await session.save()).toBe(false);
  expect(session.view().fieldErrors).toEqual({ slug: 'is taken' });
  expect(server.calls).toEqual([{ title: 'Rims', slug: 'wet-brakes' }]);
  session.change({ slug: 'free' });
  expect(await session.save()).toBe(true);
  expect(server.post?.slug).toBe('free');
});

it('stops at a conflict until somebody decides: mine', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Mine' });
  server.edit({ content: 'Theirs' });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(session.view().conflict?.content).toBe('Theirs');
  session.change({ content: 'Mine, and more' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.post?.content).toBe('Theirs');
  expect(await session.keepMine()).toBe(true);
  expect(server.post?.content).toBe('Mine, and more');
});

it('stops at a conflict until somebody decides: theirs, with a way back', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Mine' });
  server.edit({ content: 'Theirs' });
  await session.save();
  const mine = session.takeTheirs();
  expect(session.view()).toMatchObject({ conflict: null, isDirty: false, generation: 1 });
  expect(session.view().values.content).toBe('Theirs');
  session.replace(mine);
  expect(await session.save()).toBe(true);
  expect(server.post?.content).toBe('Mine');
});

it('goes on over a change of state alone, and saves by itself no more once that made it public', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Mine' });
  server.edit({ status: 'published' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(session.view()).toMatchObject({ conflict: null, isDirty: true, post: { status: 'published' } });
  expect(server.post?.content).toBe(stored.content);
});

it('never saves by itself what became public while the save was due', async () => {
  const { server, session } = openSession(stored);
  session.change({ content: 'Mine' });
  server.edit({ status: 'published' });
  session.adopt({ ...stored, status: 'published', revision: 4 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.calls).toEqual([]);
  expect(session.view()).toMatchObject({ isDirty: true, isKept: true });
});

it('tries once more when the editor is left, and then leaves the post to the next editor', async () => {
  const { server, session } = openSession(stored);
  server.fail.push(unreachable);
  session.change({ content: 'Left' });
  session.stop();
  expect(draftOf()?.values.content).toBe('Left');
  writeDraft(postDraftKey(scope, stored.id), {
    values: { ...valuesOf(stored), content: 'Of the next editor' },
    revision: 3,
    followsTitle: false,
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(server.fail).toHaveLength(0);
  expect(server.calls).toEqual([]);
  expect(draftOf()?.values.content).toBe('Of the next editor');
});

it('follows the server while nothing is typed here, and never backwards', () => {
  const { session } = openSession(stored);
  session.receive({ ...stored, content: 'Newer', revision: 4 });
  session.receive({ ...stored, content: 'Older', revision: 3 });
  expect(session.view()).toMatchObject({ generation: 1, isDirty: false });
  expect(session.view().values.content).toBe('Newer');
});

it('brings back what was kept, and saves a draft', async () => {
  writeDraft(postDraftKey(scope, stored.id), {
    values: { ...valuesOf(stored), content: 'Typed before the crash' },
    revision: 3,
    followsTitle: false,
  });
  const { server, session } = openSession(stored);
  expect(session.view()).toMatchObject({ isRestored: true, isDirty: true, conflict: null });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.post?.content).toBe('Typed before the crash');
});

it('asks which one counts where the post was changed after what was kept', async () => {
  writeDraft(postDraftKey(scope, stored.id), {
    values: { ...valuesOf(stored), content: 'Old words' },
    revision: 2,
    followsTitle: false,
  });
  const { server, session } = openSession(stored);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(session.view().conflict?.content).toBe(stored.content);
  expect(server.calls).toEqual([]);
});

it('makes a new post of what stands here after the old one was deleted elsewhere', async () => {
  const { server, session } = openSession(stored);
  server.post = null;
  session.change({ content: 'Still here' });
  await session.save();
  expect(session.view().isGone).toBe(true);
  expect(draftOf()?.values.content).toBe('Still here');
  expect(await session.saveAsNew()).toBe(true);
  expect(session.view()).toMatchObject({ isGone: false, isDirty: false });
  expect(draftOf()).toBeNull();
});

it('forgets what another tab keeps only by name: its own words are kept again', async () => {
  const { session } = openSession({ ...stored, status: 'published' });
  session.change({ content: 'Mine' });
  session.keepNow();
  session.onDraftReplaced(true);
  expect(session.view().isKept).toBe(false);
  session.onDraftReplaced(false);
  expect(session.view().isKept).toBe(true);
});
