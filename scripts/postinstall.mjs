import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { generateClient } from './generate-client.mjs';

/** Hooks are for people who commit here; nobody else's install may fail over them, or leave anything in a folder above. */
function installHooks() {
  if (process.env.npm_lifecycle_event !== 'postinstall' || process.env.CI || !existsSync('.git')) return;
  try {
    const lefthook = path.join(createRequire(import.meta.url).resolve('lefthook/package.json'), '..', 'bin', 'index.js');
    spawnSync(process.execPath, [lefthook, 'install'], { stdio: 'ignore' });
  } catch {
    // not installed (npm ci --omit=dev)
  }
}

try {
  generateClient();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
installHooks();
