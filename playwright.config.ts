import { existsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';
import { baseUrlVariable } from './e2e/support/installation';

/** The system's Chromium where there is one; else the one Playwright downloads (`npx playwright install chromium`). */
const chromium = process.env.CHROMIUM_PATH || ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
/** Chromium's sandbox refuses to run as root. */
const asRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL: process.env[baseUrlVariable],
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // Pictures of every moment cost a fifth of the time; what the page was like tells as much.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'rest', testDir: 'e2e/rest' },
    { name: 'process', testDir: 'e2e/process' },
    {
      name: 'browser',
      testDir: 'e2e/browser',
      use: {
        ...devices['Desktop Chrome'],
        launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: asRoot ? ['--no-sandbox'] : [] },
      },
    },
  ],
});
