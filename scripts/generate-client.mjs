import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Generates the database client from prisma/schema, offline. `prisma generate` would download a schema engine that it does not
 * use here, unless given a path to any existing program.
 *
 * @throws Error with Prisma's own output if it fails.
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
