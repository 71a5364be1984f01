import { blogImageFiles } from '@/server/features/blog/blog.sql';
import { attachments } from '@/server/features/conversations/conversation.sql';
import { withLease } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { removeUnreferenced, sweepLease } from '@/server/platform/files/content-store';
import { isTimeCertain } from '@/server/platform/jobs/clock';
import { daily, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';

async function referenced(hashes: string[]): Promise<ReadonlySet<string>> {
  const found = await rows<{ sha256: string }>(pool(), {
    name: 'files-referenced',
    text: `SELECT sha256 FROM ${attachments} attachments WHERE sha256 = ANY($1)
      UNION SELECT sha256 FROM quarantined_mails WHERE sha256 = ANY($1)
      UNION SELECT sha256 FROM ${blogImageFiles} blog_image_files WHERE sha256 = ANY($1)`,
    values: [hashes],
  });
  return new Set(found.map(({ sha256 }) => sha256));
}

const unlessStopped = (signal?: AbortSignal) => async (hashes: string[]) => {
  signal?.throwIfAborted();
  return referenced(hashes);
};

/**
 * Removes files without a row, whose insert was prevented by a crash or whose row was deleted. Skipped during a backup, and
 * while the clock is in doubt, because a new file might look old; the next sweep finds them again.
 *
 * @param signal server shutdown: the sweep ends after the current folder
 */
export async function sweepFiles(signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  const removed = (await withLease(sweepLease, () => removeUnreferenced(unlessStopped(signal)))) ?? 0;
  if (removed > 0) log().info({ removed }, 'files without a row removed');
}

export const fileSweep = new StandingJob('sweep-files', daily(3, 43), sweepFiles);
