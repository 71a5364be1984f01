import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** Lints the OpenAPI document by the rules of redocly.yaml, without starting a server. */

const root = process.cwd();

function runNode(args, options) {
  return spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  return npm
    ? runNode([npm, ...args])
    : spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' });
}

const document = runNpm(['run', '--silent', 'openapi']);
if (document.status !== 0) {
  console.error(`The document could not be made:\n${document.stderr}`);
  process.exit(1);
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'frontdesk-openapi-'));
try {
  const file = path.join(folder, 'openapi.json');
  writeFileSync(file, document.stdout);
  const redocly = path.join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '..', 'bin', 'cli.js');
  const { status, stdout, stderr } = runNode([redocly, 'lint', file, `--config=${path.join(root, 'redocly.yaml')}`], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  // Redocly prints long notes about the Node.js version, which do not matter while the document is valid.
  console.log(status === 0 ? 'The OpenAPI document is valid.' : `${stdout}${stderr}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
