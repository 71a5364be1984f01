import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Generates the database client from prisma/schema, offline: `prisma generate` wants to download a schema engine that it then does
 * not use, and is content with any program that exists.
 *
 * @throws Error with Prisma's own output where it fails.
 */
export function generateClient() {
  const prisma = path.join(createRequire(import.meta.url).resolve('prisma/package.json'), '..', 'build', 'index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate', '--no-hints'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (status !== 0) throw new Error(`prisma generate failed:\n${stdout ?? ''}${stderr ?? ''}`);
}
