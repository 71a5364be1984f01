import type { EventHistory, EventPage, ReadEventsInput, ReadHistoryInput } from '@/server/features/events/event.schema';
import { readHistory } from '@/server/features/events/event-history.service';
import { type Follower, readEvents } from '@/server/features/events/event-log.service';
import type { IdentityActor } from '@/server/platform/actor';
import { readablePatterns, refuseUnknownPatterns } from './event-types.service';

/**
 * `GET /event-log`, see `readEvents`: events of what the actor may read.
 * @throws AppError invalid_request for a type that does not exist, insufficient_scope or not_for_agents for one that may not be read
 */
export async function followEvents(actor: IdentityActor, input: ReadEventsInput, follower: Follower): Promise<EventPage> {
  refuseUnknownPatterns(input.types ?? [], 'types');
  return readEvents(actor, { ...input, types: readablePatterns(actor, input.types) }, follower);
}

/** See `readHistory`: events of what the actor may read. @throws AppError like `followEvents` */
export async function pastEvents(actor: IdentityActor, input: ReadHistoryInput): Promise<EventHistory> {
  refuseUnknownPatterns(input.types ?? [], 'types');
  return readHistory(actor, { ...input, types: readablePatterns(actor, input.types) });
}
