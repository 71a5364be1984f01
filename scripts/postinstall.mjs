import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClient } from './generate-client.mjs';

/** Installs Git hooks for contributors. It must not fail anyone else's install, or change anything in a parent folder. */
function installHooks() {
  if (process.env.npm_lifecycle_event !== 'postinstall' || process.env.CI || !existsSync('.git')) return;
  try {
    const lefthook = path.join(createRequire(import.meta.url).resolve('lefthook/package.json'), '..', 'bin', 'index.js');
    spawnSync(process.execPath, [lefthook, 'install'], { stdio: 'ignore' });
  } catch {
    // not installed (npm ci --omit=dev)
  }
}

/**
 * Generates part of the TypeScript client, if its tools are installed (not with npm ci --omit=dev) and the server's sources are
 * present.
 */
function generateApiClient() {
  try {
    createRequire(import.meta.url).resolve('openapi-typescript/package.json');
  } catch {
    return;
  }
  if (!existsSync('server/registry.ts')) return;
  const cwd = fileURLToPath(new URL('../clients/typescript', import.meta.url));
  const args = ['--import', 'tsx', 'scripts/generate.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) },
  });
  if (status !== 0) throw new Error(`The TypeScript client was not generated:\n${stderr}`);
}

try {
  generateClient();
  generateApiClient();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
installHooks();
