import { accountRouter, setupRouter } from './features/accounts/account.router';
import { authRoute } from './features/accounts/auth-endpoint';
import { erasureJobs } from './features/accounts/erasure.service';
import { singleSignOnRouter } from './features/accounts/oidc.router';
import { oidcRoute } from './features/accounts/oidc-endpoint';
import { passkeysRouter } from './features/accounts/passkey.router';
import { accountJobs } from './features/accounts/password-reset.service';
import { photosRoute } from './features/accounts/photo-endpoint';
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
import { assigneeJobs } from './features/conversations/assignee';
import { conversationsRouter } from './features/conversations/conversation.router';
import { recordDelivery } from './features/conversations/delivery.service';
import { mergeJobs } from './features/conversations/merge';
import { messagePageJobs } from './features/conversations/message-page.service';
import { presenceJobs } from './features/conversations/presence.service';
import { trashJobs } from './features/conversations/trash.service';
import { customersRouter } from './features/customers/customer.router';
import { dataRouter } from './features/data/data.router';
import { storageWarningJobs } from './features/data/storage-warning.service';
import { deletionJobs } from './features/deletions/deletion.service';
import { eventJobs } from './features/events/event-jobs.service';
import { homeRouter } from './features/home/home.router';
import { identityRouter } from './features/identity/identity.router';
import { fileJobs } from './features/mail/file-sweep.service';
import { inboundEmailRoute } from './features/mail/inbound-email';
import { mailRouter } from './features/mail/mail.router';
import { mailFilesRoute } from './features/mail/mail-files';
import { quarantineJobs } from './features/mail/quarantine.service';
import { mailboxesRouter } from './features/mailboxes/mailbox.router';
import { notificationDeliveryJobs, notificationJobs } from './features/notifications/notification-jobs.service';
import { notificationsRouter } from './features/notifications/notifications.router';
import { outboxJobs, sendJobs } from './features/outbox/sending.service';
import { searchRouter } from './features/search/search.router';
import { joinTeamByHandle } from './features/team/auto-join.service';
import { consumeInvitation, teamJobs } from './features/team/invitation.service';
import { invitationsRouter, membersRouter } from './features/team/team.router';
import { storageJobs } from './features/usage/quota.service';
import { senderQuotaJobs } from './features/usage/sender-quota.service';
import { usageRouter } from './features/usage/usage.router';
import { usageJobs } from './features/usage/usage-retention.service';
import { eventLogRouter } from './features/webhooks/event-log.router';
import { deliveryJobs, webhookJobs } from './features/webhooks/webhook-jobs.service';
import { webhooksRouter } from './features/webhooks/webhooks.router';
import { accessJobs } from './platform/auth/access-jobs';
import { embeddedLogJobs } from './platform/db/embedded-log';
import type { HttpRoute } from './platform/http/http-route';
import type { JobDefinitions } from './platform/jobs/worker';
import { operationJobs } from './platform/operations/operation-jobs';
import { RestApi } from './platform/rest/dispatcher';
import { restJobs } from './platform/rest/rest-jobs';
import { operationsOf, router } from './platform/trpc/trpc';
import { TrpcApi } from './platform/trpc/trpc-endpoint';

/** All parts of features that the process uses. Anything not registered here is inactive. */

/** All procedures. Those with `meta.openapi` are automatically served and documented over REST. */
export const appRouter = router({
  account: accountRouter,
  twoFactor: twoFactorRouter,
  singleSignOn: singleSignOnRouter,
  passkeys: passkeysRouter,
  audit: auditRouter,
  setup: setupRouter,
  recovery: recoveryRouter,
  apiKeys: apiKeysRouter,
  identity: identityRouter,
  customers: customersRouter,
  agents: agentsRouter,
  mailboxes: mailboxesRouter,
  conversations: conversationsRouter,
  mail: mailRouter,
  blog: blogRouter,
  calendar: calendarRouter,
  usage: usageRouter,
  home: homeRouter,
  search: searchRouter,
  data: dataRouter,
  events: eventLogRouter,
  webhooks: webhooksRouter,
  members: membersRouter,
  invitations: invitationsRouter,
  notifications: notificationsRouter,
});

export type AppRouter = typeof appRouter;

export const operations = operationsOf(appRouter);

/** The REST API. */
export const rest = new RestApi(operations);

/** HTTP routes besides pages, in the order in which their prefixes are tried. */
export const httpRoutes: readonly HttpRoute[] = [
  rest,
  new TrpcApi(appRouter, operations),
  // Before the shorter prefix.
  oidcRoute({ join: joinTeamByHandle, acceptInvitation: consumeInvitation }),
  authRoute,
  mailFilesRoute,
  photosRoute,
  inboundEmailRoute,
  blogRoute,
  rsvpRoute,
  calendarFeedRoute,
];

/** Background jobs. */
export const jobs: readonly JobDefinitions[] = [
  accessJobs,
  operationJobs,
  restJobs,
  auditJobs,
  eventJobs,
  accountJobs,
  teamJobs,
  erasureJobs,
  addressJobs,
  sendJobs(recordDelivery),
  outboxJobs,
  notificationDeliveryJobs,
  notificationJobs,
  fileJobs,
  pictureJobs,
  reminderJobs,
  reindexJobs,
  storageJobs,
  senderQuotaJobs,
  storageWarningJobs,
  messagePageJobs,
  mergeJobs,
  trashJobs,
  deletionJobs,
  assigneeJobs,
  presenceJobs,
  quarantineJobs,
  usageJobs,
  deliveryJobs,
  webhookJobs,
  embeddedLogJobs,
];
