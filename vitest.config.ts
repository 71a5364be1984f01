import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '') } },
  test: {
    include: ['{app,clients,prisma,scripts,server}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: process.env.RECORD_SQL ? ['server/testing/record-sql.ts'] : [],
    // One process a file: each has a process registry, and so a database, of its own.
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    // A full run shares two cores with other programs; nothing here measures time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
