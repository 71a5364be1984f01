import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Builds the package twice: for `import` and, since TypeScript lets no CommonJS program take types of an ES module, for `require`. */
const folder = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(`${folder}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: folder, stdio: 'inherit' });
}
writeFileSync(`${folder}dist/cjs/package.json`, '{ "type": "commonjs" }\n');
