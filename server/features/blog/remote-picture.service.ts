import type pg from 'pg';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { JobKind } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import { renderPool } from '@/server/platform/rendering/render-pool';
import type { BlogPostRecord } from './blog-post.schema';
import { hashOfUrl, ownPicture } from './pictures';

/**
 * Pages reserve space for a picture before it has loaded, to avoid layout shifts. For pictures on other servers this requires
 * reading the first bytes of each, once, after publication.
 */

/** Pictures of a post beyond this number stay unmeasured; pages reserve a box of a usual ratio for them. */
const picturesMaximum = 20;
const concurrentPictures = 5;
const headBytes = 512 * 1024;
const timeoutMilliseconds = 5_000;
/** Time limit for a whole post. It occupies a worker slot, and delays a shutdown. */
const postMilliseconds = 20_000;
/** Posts measured concurrently, over all servers; posts of one identity are measured sequentially. */
const queues = 2;
/** Age after which the next publication of a post measures a picture again: after a failure, and after a success. */
const [retryAfter, lookAgainAfter] = ['1 day', '90 days'];

const measureJob = new JobKind<{ postId: string }>('measure-remote-pictures');

type Post = Pick<BlogPostRecord, 'id' | 'status' | 'content' | 'coverImageUrl'>;

function mayHaveRemotePictures({ content, coverImageUrl }: Post): boolean {
  return /^https?:/i.test(coverImageUrl) || /!\[|<img/i.test(content);
}

/** Schedules the measurement of a post's pictures in the open transaction, if the post is public and has any on other servers. */
export async function measureRemotePictures(client: pg.PoolClient, identityId: string, post: Post): Promise<void> {
  if (post.status !== 'published' || !mayHaveRemotePictures(post)) return;
  const destination = `remote-pictures-${hashOfUrl(identityId).readUInt8(0) % queues}`;
  await measureJob.schedule(client, { key: post.id, payload: { postId: post.id }, destination });
}

async function unmeasured(urls: string[]): Promise<string[]> {
  const measured = await rows<{ hash: Buffer }>(pool(), {
    name: 'remote-pictures-measured',
    text: `SELECT hash FROM remote_pictures WHERE hash = ANY($1)
      AND checked_at BETWEEN now() - CASE WHEN width IS NULL THEN $2::interval ELSE $3::interval END AND now() + interval '1 minute'`,
    values: [urls.map(hashOfUrl), retryAfter, lookAgainAfter],
  });
  const done = new Set(measured.map(({ hash }) => hash.toString('hex')));
  return urls.filter((url) => !done.has(hashOfUrl(url).toString('hex')));
}

async function measure(url: string, signal: AbortSignal): Promise<{ width: number; height: number } | null> {
  // Loaded on first use: their libraries take 50 MB.
  const [{ guardedFetch }, { dimensionsOf }] = await Promise.all([
    import('@/server/platform/fetch/guarded-fetch'),
    import('@/server/platform/images/image-dimensions'),
  ]);
  try {
    const { status, body } = await guardedFetch(url, { maximumBytes: headBytes, timeoutMilliseconds, accept: 'image/*', signal });
    return status === 200 ? await dimensionsOf(body) : null;
  } catch (error) {
    log().info({ reason: (error as Error).message }, 'a picture of another server could not be measured');
    return null;
  }
}

/** Keeps a known size if the picture can't be read this time. */
async function remember(url: string, signal: AbortSignal): Promise<void> {
  const size = await measure(url, signal);
  await pool().query({
    name: 'remote-picture-remember',
    text: `INSERT INTO remote_pictures AS known (hash, width, height) VALUES ($1, $2, $3)
      ON CONFLICT (hash) DO UPDATE SET width = coalesce(excluded.width, known.width), height = coalesce(excluded.height, known.height),
        checked_at = now()`,
    values: [hashOfUrl(url), size?.width ?? null, size?.height ?? null],
  });
}

/** The job: measures the unknown pictures of a post. Idempotent. */
async function measurePicturesOf(postId: string, stopping?: AbortSignal): Promise<void> {
  const [post] = await rows<{ identityId: string; content: string; coverImageUrl: string }>(pool(), {
    name: 'remote-pictures-post',
    text: `SELECT identity_id AS "identityId", content, cover_image_url AS "coverImageUrl" FROM blog_posts WHERE id = $1 AND status = 'published'`,
    values: [postId],
  });
  if (!post) return;
  const { images } = await renderPool().markdown(post.content, { owner: post.identityId });
  const remote = [post.coverImageUrl, ...images].filter((url) => /^https?:\/\//i.test(url) && !ownPicture(url));
  const wanted = await unmeasured([...new Set(remote)].slice(0, picturesMaximum));
  if (wanted.length === 0) return;
  const signal = AbortSignal.any([AbortSignal.timeout(postMilliseconds), ...(stopping ? [stopping] : [])]);
  for (let start = 0; start < wanted.length && !signal.aborted; start += concurrentPictures) {
    await Promise.all(wanted.slice(start, start + concurrentPictures).map((url) => remember(url, signal)));
  }
  // The next server resumes with the remaining ones.
  stopping?.throwIfAborted();
  await transaction({ kind: 'system', cause: 'upkeep' }, (client) =>
    client.query({
      name: 'blog-site-renew',
      text: `INSERT INTO blog_sites AS site (identity_id) VALUES ($1) ON CONFLICT (identity_id) DO UPDATE SET version = site.version + 1`,
      values: [post.identityId],
    }),
  );
}

export const pictureMeasurement = measureJob.handledBy(({ payload, signal }) => measurePicturesOf(payload.postId, signal));
