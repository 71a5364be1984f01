import { blogPostCounts, blogPosts } from '@/server/features/blog/blog.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { getLiveCounts } from '../conversations/live-counts.service';
import { projectUsage } from '../usage/projection.service';
import { getUsageStats } from '../usage/usage.service';
import { readAgents } from './agents-needing-attention';
import { countingLimit, type Home } from './home.schema';
import { readEvents, readOpenAnswers } from './upcoming-events';
import { countFailedMails, readConversations } from './urgent-conversations';

const draftsShown = 2;

interface DraftRow {
  id: string;
  title: string;
  updatedAt: string;
  total: number;
}

/** The newest drafts, in the order of the list they link to, and their number. */
async function readDrafts(identityId: string): Promise<Home['drafts']> {
  const found = await rows<DraftRow>(pool(), {
    name: 'home-drafts',
    isoTimes: true,
    text: `SELECT id, title, updated_at AS "updatedAt", least($2, (
        SELECT coalesce(sum(posts), 0) FROM ${blogPostCounts} blog_post_counts WHERE identity_id = $1 AND status = 'draft'
      ))::int AS total
      FROM ${blogPosts} blog_posts WHERE identity_id = $1 AND status = 'draft' ORDER BY created_at DESC, id DESC LIMIT $3`,
    values: [identityId, countingLimit, draftsShown],
  });
  return { count: found[0]?.total ?? 0, latest: found.map(({ total: _total, ...draft }) => draft) };
}

/**
 * All of Home's data that needs the owner's attention: a few concurrent statements, each over a few index rows or maintained
 * sums. Counts stop at `countingLimit`.
 *
 * @param now the reference time for upcoming and recent
 */
export async function getHome(actor: IdentityActor, now = new Date()): Promise<Home> {
  const { identityId } = actor;
  // First, so that the data read after it is at least as new as its versions.
  const { version, calendarVersion, failedMails, quarantined } = await getLiveCounts(actor);
  const [conversations, failed, events, openAnswers, usage, drafts, agents] = await Promise.all([
    readConversations(identityId),
    failedMails > 0 ? countFailedMails(identityId) : 0,
    readEvents(actor, now),
    readOpenAnswers(identityId, now),
    getUsageStats(actor),
    readDrafts(identityId),
    readAgents(identityId, now),
  ]);
  return {
    pulse: { version, calendarVersion, failedMails, quarantined },
    conversations,
    mails: { failed, quarantined },
    events,
    openAnswers,
    usage,
    projection: projectUsage(usage, now),
    drafts,
    agents,
  };
}
