import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isSame } from '@/app/_kit/is-same';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Presence, PresenceInput } from '@/server/features/conversations/conversation.schema';

type Others = Presence['others'];
type Activity = Exclude<PresenceInput['activity'], 'left'>;

/** Between two heartbeats, and while it matters to see soon what another person does. */
const heartbeat = 15_000;
const attentive = 5_000;

const noOthers: Others = [];

/**
 * Tells the other members what this one does in a conversation while its page is visible, and follows what they do. It is no mutation
 * of the query cache, since pages wait with their refresh for those. Nothing is sent in a business of one person.
 */
export function usePresence(conversationId: string, activity: Activity): Others {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data: team } = useQuery(trpc.members.list.queryOptions({}));
  const hasColleagues = (team?.members.filter(({ status }) => status === 'active').length ?? 0) > 1;
  const [others, setOthers] = useState(noOthers);
  const isAttentive = activity === 'answering' || others.length > 0;
  // One request at a time: an earlier one that arrives later would undo the newest one until the next heartbeat. A request without an
  // answer must not stop those after it.
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const tell = useCallback(
    (now: PresenceInput['activity']) => {
      const answer = last.current.then(() =>
        client.conversations.presence
          .mutate({ conversationId, activity: now }, { signal: AbortSignal.timeout(heartbeat) })
          .catch(() => null),
      );
      last.current = answer;
      return answer;
    },
    [client, conversationId],
  );

  useEffect(() => {
    if (!hasColleagues) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const beat = async () => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      // Without an answer, the last one holds until the next heartbeat.
      const answer = await tell(activity);
      if (isOver) return;
      if (answer) setOthers((known) => (isSame(known, answer.others) ? known : answer.others));
      clearTimeout(timer);
      timer = setTimeout(() => void beat(), isAttentive ? attentive : heartbeat);
    };
    const onVisibility = () => void beat();
    void beat();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [tell, activity, hasColleagues, isAttentive]);

  useEffect(() => {
    if (!hasColleagues) return;
    // Lost while the browser closes a tab; the entry then ends by itself.
    const leave = () => void tell('left');
    const onVisibility = () => document.visibilityState === 'hidden' && leave();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [tell, hasColleagues]);

  return others;
}
