import { afterAll, vi } from 'vitest';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import { closeMailParser } from '@/server/platform/mail/mail-parser';
import { forgetProcess } from '@/server/platform/process-globals';
import { closeRenderPool } from '@/server/platform/rendering/render-pool';

/**
 * Runs around each test file (vitest.config.ts). Most files share a process with others, since loading the product takes longer
 * than most tests: each starts with the settings, caches and pools of a new process.
 */
// The list of common passwords never changes, and takes a quarter of a second to read.
forgetProcess([`common-passwords-${passwordMinimum}`]);

afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([closeMailParser(), closeRenderPool()]);
});
