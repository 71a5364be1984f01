import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/server/registry';

/** What the webhook procedures take and return, named for the pages. */
type Inputs = inferRouterInputs<AppRouter>['webhooks'];
type Outputs = inferRouterOutputs<AppRouter>['webhooks'];

export type WebhookRecord = Outputs['list']['webhooks'][number];
export type WebhookFields = Required<Pick<Inputs['create'], 'url' | 'events' | 'description'>>;
export type DeliveryRecord = Outputs['deliveries']['deliveries'][number];
export type DeliveryDetail = Outputs['delivery'];
export type EventTypeRecord = Outputs['eventTypes']['types'][number];
export type Recovery = Inputs['recover']['only'];

/** What was sent; null once the event is no longer kept. */
export function bodyOf({ event }: Pick<DeliveryDetail, 'event'>): string | null {
  return event && JSON.stringify({ type: event.type, timestamp: event.createdAt, data: event }, null, 2);
}
