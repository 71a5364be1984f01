import { accountRouter, setupRouter } from '@/server/modules/account/account.router';
import { recoveryRouter } from '@/server/modules/account/recovery.router';
import { twoFactorRouter } from '@/server/modules/account/two-factor.router';
import { agentsRouter } from '@/server/modules/agents/agent.router';
import { apiKeysRouter } from '@/server/modules/api-keys/api-key.router';
import { auditRouter } from '@/server/modules/audit/audit.router';
import { blogRouter } from '@/server/modules/blog/blog.router';
import { calendarRouter } from '@/server/modules/calendar/calendar.router';
import { conversationsRouter } from '@/server/modules/conversations/conversation.router';
import { customersRouter } from '@/server/modules/customers/customer.router';
import { homeRouter } from '@/server/modules/home/home.router';
import { identityRouter } from '@/server/modules/identity/identity.router';
import { mailRouter } from '@/server/modules/mail/mail.router';
import { searchRouter } from '@/server/modules/search/search.router';
import { usageRouter } from '@/server/modules/usage/usage.router';
import { createCallerFactory, router } from './trpc';

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
