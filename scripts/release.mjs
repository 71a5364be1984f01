import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './build.mjs';

/**
 * `npm run release`: builds the files of a release in dist/release: the committed source, the typed client, a software bill of
 * materials of everything that is installed without development tools, and SHA-256 sums to publish with them.
 */

const target = path.join(projectRoot, 'dist/release');
const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));

function run(program, ...args) {
  return execFileSync(program, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (run('git', 'status', '--porcelain').trim() !== '')
  fail('Commit or remove what is not committed: a release is made of a commit.');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const name = `frontdesk-${version}`;
run('git', 'archive', '--format=tar.gz', `--prefix=${name}/`, '-o', path.join(target, `${name}.tar.gz`), 'HEAD');
run('npm', 'pack', '--silent', '-w', '@frontdesk/client', '--pack-destination', target);
for (const [format, extension] of [
  ['cyclonedx', 'cdx.json'],
  ['spdx', 'spdx.json'],
]) {
  const bill = run('npm', 'sbom', '--omit', 'dev', '--sbom-format', format, '--loglevel=error');
  writeFileSync(path.join(target, `${name}.${extension}`), bill);
}

const sums = readdirSync(target)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(target, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''));
console.log(readFileSync(path.join(target, 'SHA256SUMS'), 'utf8').trim());
