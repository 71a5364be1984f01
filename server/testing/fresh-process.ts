import { afterAll, vi } from 'vitest';
import { closeMailParser } from '@/server/platform/mail/mail-parser';
import { forgetProcess, setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { closeRenderPool } from '@/server/platform/rendering/render-pool';

/**
 * Runs around each test file (vitest.config.ts). Most files share a process with others, since loading the product takes longer
 * than most tests: each starts with the settings, caches and pools of a new process.
 */
const commonPasswords = 'common-passwords-12';
/** A list that takes a quarter of a second to read, and never changes. */
const known = takeFromProcess(commonPasswords);
forgetProcess();
if (known) setForProcess(commonPasswords, known);

afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([closeMailParser(), closeRenderPool()]);
});
