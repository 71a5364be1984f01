import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { isUuid } from '@/app/_kit/uuid';
import { deliveryLabels } from './_components/webhook-labels';

/** Search parameters of a webhook's page. */
export const deliverySearchParams = {
  status: parseAsStringLiteral(keysOf(deliveryLabels)),
  page: parseAsInteger.withDefault(1),
  /** The delivery that is open. */
  delivery: parseAsString,
};

type DeliverySearch = inferParserType<typeof deliverySearchParams>;

export const loadDeliverySearch = createLoader(deliverySearchParams);

/** The query string of a search. */
export const deliverySearchQuery = createSerializer(deliverySearchParams);

export const deliveriesPerPage = 25;

/** The page in the address, limited to possible pages. */
export const pageOf = ({ page }: Pick<DeliverySearch, 'page'>): number => Math.min(Math.max(1, page), 400);

/** The request for the deliveries of a search. */
export function deliveriesInput(webhookId: string, search: Pick<DeliverySearch, 'status' | 'page'>) {
  return {
    webhookId,
    limit: deliveriesPerPage,
    offset: (pageOf(search) - 1) * deliveriesPerPage,
    ...(search.status && { status: search.status }),
  };
}

/** The id of the open delivery; null if none is. */
export const openDelivery = ({ delivery }: Pick<DeliverySearch, 'delivery'>): string | null =>
  delivery && isUuid(delivery) ? delivery : null;
