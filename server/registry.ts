import { accounts } from './features/accounts/feature';
import { addresses } from './features/addresses/feature';
import { agents } from './features/agents/feature';
import { apiKeys } from './features/api-keys/feature';
import { audit } from './features/audit/feature';
import { blog } from './features/blog/feature';
import { calendar } from './features/calendar/feature';
import { conversations } from './features/conversations/feature';
import { customers } from './features/customers/feature';
import { data } from './features/data/feature';
import { deletions } from './features/deletions/feature';
import { events } from './features/events/feature';
import { home } from './features/home/feature';
import { identity } from './features/identity/feature';
import { mail } from './features/mail/feature';
import { mailboxSignIn } from './features/mailbox-sign-in/feature';
import { mailboxes } from './features/mailboxes/feature';
import { notifications } from './features/notifications/feature';
import { outbox } from './features/outbox/feature';
import { ownAddresses } from './features/own-addresses/feature';
import { search } from './features/search/feature';
import { team } from './features/team/feature';
import { usage } from './features/usage/feature';
import { webhooks } from './features/webhooks/feature';
import { assemble, routersOf } from './platform/product';
import { router } from './platform/trpc/trpc';

/** The features of the product, in the order of the API's document. What is not listed here is not in it. */
export const features = [
  identity,
  customers,
  agents,
  conversations,
  blog,
  calendar,
  mailboxes,
  mailboxSignIn,
  webhooks,
  usage,
  accounts,
  addresses,
  apiKeys,
  audit,
  data,
  deletions,
  events,
  home,
  mail,
  notifications,
  outbox,
  ownAddresses,
  search,
  team,
] as const;

export const appRouter = router(routersOf(features));

export type AppRouter = typeof appRouter;

export const { operations, rest, httpRoutes, jobs, removals } = assemble(features, appRouter);
