import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { within } from './server/testing/patience.ts';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');
const folders = ['app', 'clients', 'prisma', 'scripts', 'server'];

/** Files that replace modules have a process of their own: in a shared one, others have loaded the real modules. */
const replacing = folders
  .flatMap((folder) => readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
  .filter((file) => /\bvi\.(mock|hoisted)\(/.test(readFileSync(`${root}/${file}`, 'utf8')));

export default defineConfig({
  resolve: { alias: { '@': root } },
  test: {
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: ['server/testing/fresh-process.ts', ...(process.env.RECORD_SQL ? ['server/testing/record-sql.ts'] : [])],
    pool: 'forks',
    // Many tests wait for timers and connections.
    maxWorkers: 4,
    testTimeout: within(15),
    // `npm test` lists what passed only then.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: within(15),
    teardownTimeout: within(5),
    expect: { poll: { timeout: within(5) } },
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: [`{${folders}}/**/*.test.{ts,tsx}`],
          exclude: ['**/node_modules/**', ...replacing],
        },
      },
      { extends: true, test: { name: 'isolated', isolate: true, include: replacing } },
    ],
  },
});
