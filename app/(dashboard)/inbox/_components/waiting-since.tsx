import { RelativeTime } from '@/app/_kit/relative-time';

/** How long the other side of a conversation has waited for an answer. */
export function WaitingSince({ time }: { time: string }) {
  return (
    <>
      Waiting <span className="sr-only">since</span> <RelativeTime value={time} isSpan />
    </>
  );
}
