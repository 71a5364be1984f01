import { accountRouter, setupRouter } from './features/accounts/account.router';
import { authRoute } from './features/accounts/auth-endpoint';
import { accountJobs } from './features/accounts/password-reset.service';
import { recoveryRouter } from './features/accounts/recovery.router';
import { twoFactorRouter } from './features/accounts/two-factor.router';
import { addressJobs } from './features/addresses/domain-proof.service';
import { agentsRouter } from './features/agents/agent.router';
import { apiKeysRouter } from './features/api-keys/api-key.router';
import { auditRouter } from './features/audit/audit.router';
import { auditJobs } from './features/audit/audit-jobs.service';
import { blogRouter } from './features/blog/blog.router';
import { pictureJobs } from './features/blog/remote-picture.service';
import { blogRoute } from './features/blog/site/http/public-blog';
import { calendarRouter } from './features/calendar/calendar.router';
import { calendarFeedRoute } from './features/calendar/calendar-feed';
import { reindexJobs } from './features/calendar/reindex.service';
import { reminderJobs } from './features/calendar/reminder.service';
import { rsvpRoute } from './features/calendar/rsvp/http';
import { conversationsRouter } from './features/conversations/conversation.router';
import { recordDelivery } from './features/conversations/delivery.service';
import { messagePageJobs } from './features/conversations/message-page.service';
import { customersRouter } from './features/customers/customer.router';
import { homeRouter } from './features/home/home.router';
import { identityRouter } from './features/identity/identity.router';
import { fileJobs } from './features/mail/file-sweep.service';
import { inboundEmailRoute } from './features/mail/inbound-email';
import { mailRouter } from './features/mail/mail.router';
import { mailFilesRoute } from './features/mail/mail-files';
import { outboxJobs, sendJobs } from './features/outbox/sending.service';
import { searchRouter } from './features/search/search.router';
import { storageJobs } from './features/usage/quota.service';
import { usageRouter } from './features/usage/usage.router';
import { accessJobs } from './platform/auth/access-jobs';
import type { HttpRoute } from './platform/http/http-route';
import type { JobDefinitions } from './platform/jobs/worker';
import { RestApi } from './platform/rest/dispatcher';
import { restJobs } from './platform/rest/rest-jobs';
import { createCallerFactory, router } from './platform/trpc/trpc';
import { TrpcApi } from './platform/trpc/trpc-endpoint';

/** All parts of features that the process uses. Anything not registered here is inactive. */

/** All operations. Those with `meta.openapi` are automatically served and documented over REST. */
export const appRouter = router({
  account: accountRouter,
  twoFactor: twoFactorRouter,
  audit: auditRouter,
  setup: setupRouter,
  recovery: recoveryRouter,
  apiKeys: apiKeysRouter,
  identity: identityRouter,
  customers: customersRouter,
  agents: agentsRouter,
  conversations: conversationsRouter,
  mail: mailRouter,
  blog: blogRouter,
  calendar: calendarRouter,
  usage: usageRouter,
  home: homeRouter,
  search: searchRouter,
});

export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);

/** The REST API. */
export const rest = new RestApi(appRouter);

/** HTTP routes besides pages, in the order in which their prefixes are tried. */
export const httpRoutes: readonly HttpRoute[] = [
  rest,
  new TrpcApi(appRouter, rest.routes.all),
  authRoute,
  mailFilesRoute,
  inboundEmailRoute,
  blogRoute,
  rsvpRoute,
  calendarFeedRoute,
];

/** Background jobs. */
export const jobs: readonly JobDefinitions[] = [
  accessJobs,
  restJobs,
  auditJobs,
  accountJobs,
  addressJobs,
  sendJobs(recordDelivery),
  outboxJobs,
  fileJobs,
  pictureJobs,
  reminderJobs,
  reindexJobs,
  storageJobs,
  messagePageJobs,
];
