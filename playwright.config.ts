import { existsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';
import { baseUrlVariable } from './e2e/support/installation';
import { within } from './server/testing/patience.ts';

/** The system's Chromium; without one, the one Playwright downloads (`npx playwright install chromium`). */
const chromium =
  process.env.CHROMIUM_PATH ||
  // The headless shell, Playwright's own default, takes a quarter less CPU time than the whole browser.
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
/** Chromium's sandbox refuses to run as root. */
const asRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Specs of processes mostly wait, for starts, stops and limits; those of the browser need the processor.
  workers: 4,
  // `npm test` lists what passed only then.
  retries: process.env.CI ? 1 : 0,
  timeout: within(30),
  expect: { timeout: within(5) },
  reporter: [['list']],
  use: {
    baseURL: process.env[baseUrlVariable],
    actionTimeout: within(5),
    navigationTimeout: within(8),
    // Traces take a quarter of the time; a failure leaves a screenshot and the page's structure. `--trace on` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'rest', testDir: 'e2e/rest' },
    { name: 'process', testDir: 'e2e/process', workers: 2, timeout: within(40) },
    {
      name: 'browser',
      testDir: 'e2e/browser',
      workers: 2,
      use: {
        ...devices['Desktop Chrome'],
        // No test waits for an animation, or clicks something that is still moving. motion.spec.ts has it.
        contextOptions: { reducedMotion: 'reduce' },
        // Pages live for seconds: to optimize their scripts takes longer than it saves.
        launchOptions: {
          ...(chromium ? { executablePath: chromium } : {}),
          args: ['--js-flags=--no-opt', ...(asRoot ? ['--no-sandbox'] : [])],
        },
      },
    },
  ],
});
