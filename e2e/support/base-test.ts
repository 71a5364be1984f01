import { test as base } from '@playwright/test';
import { endReport, watchBrowser } from './failure-report';

/** Playwright's `test`; one that fails prints what its browsers and servers said. */
export const test = base.extend<{ report: undefined }>({
  browser: [
    async ({ browser }, use) => {
      watchBrowser(browser);
      await use(browser);
    },
    { scope: 'worker' },
  ],
  report: [
    async ({}, use, info) => {
      await use(undefined);
      await endReport(info.titlePath.join(' › '), info.status !== info.expectedStatus);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
export { within } from '@/server/testing/patience';
