import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packs the typed client of this version to where the server serves it, so that its users need no clone; /docs shows how to install
 * it. Run by the build.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'public/vendor');
const { version } = JSON.parse(readFileSync(path.join(root, 'clients/typescript/package.json'), 'utf8'));
const packed = `frontdesk-client-${version}.tgz`;

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (/^frontdesk-client-.*\.tgz$/.test(name) && name !== packed) rmSync(path.join(folder, name));
}
const [program, ...npm] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
// Packing generates and compiles the client first, by its script `prepack`.
const pack = ['pack', '--silent', '--ignore-scripts=false', '-w', '@frontdesk/client', '--pack-destination', folder];
execFileSync(program, [...npm, ...pack], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
