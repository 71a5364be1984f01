import { accountRouter, setupRouter } from './features/accounts/account.router';
import { recoveryRouter } from './features/accounts/recovery.router';
import { twoFactorRouter } from './features/accounts/two-factor.router';
import { agentsRouter } from './features/agents/agent.router';
import { apiKeysRouter } from './features/api-keys/api-key.router';
import { auditRouter } from './features/audit/audit.router';
import { blogRouter } from './features/blog/blog.router';
import { calendarRouter } from './features/calendar/calendar.router';
import { conversationsRouter } from './features/conversations/conversation.router';
import { customersRouter } from './features/customers/customer.router';
import { homeRouter } from './features/home/home.router';
import { identityRouter } from './features/identity/identity.router';
import { mailRouter } from './features/mail/mail.router';
import { searchRouter } from './features/search/search.router';
import { usageRouter } from './features/usage/usage.router';
import { createCallerFactory, router } from './platform/trpc/trpc';

/** Every operation of the product. What has `meta.openapi` is served over REST too, and documented, without further ado. */
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
