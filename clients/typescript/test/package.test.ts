import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The package as a stranger gets it: packed, installed offline into a project of their own, used from both kinds of modules. */

const source = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(path.join(os.tmpdir(), 'frontdesk-client-'));
const installed = path.join(project, 'node_modules/@frontdesk/client');
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd, encoding: 'utf8' });

beforeAll(() => {
  const [packed] = JSON.parse(npm(source, 'pack', '--json', '--pack-destination', project)) as { filename: string }[];
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  npm(project, 'install', `./${packed?.filename}`);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

const program = `createFrontdesk({ baseUrl: 'https://desk.example', apiKey: 'k' })`;

/** What the compiler says of a consumer, with the settings most projects have. */
function diagnose(name: string, code: string): string[] {
  const file = path.join(project, name);
  writeFileSync(file, code);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('a CommonJS program type-checks, and fails where it is wrong', () => {
  expect(diagnose('app.cts', `import { createFrontdesk } from '@frontdesk/client';\n${program};\n`)).toEqual([]);
  expect(diagnose('wrong.cts', `import { createFrontdesk } from '@frontdesk/client';\ncreateFrontdesk(1);\n`)).toHaveLength(1);
});

test('so does an ES module', () => {
  expect(diagnose('app.mts', `import { createFrontdesk } from '@frontdesk/client';\n${program};\n`)).toEqual([]);
});

test('both run', () => {
  const run = (name: string, code: string) => {
    writeFileSync(path.join(project, name), code);
    return execFileSync(process.execPath, [name], { cwd: project, encoding: 'utf8' }).trim();
  };
  const show = `console.log(typeof ${program}.customers.list)`;
  expect(run('run.cjs', `const { createFrontdesk } = require('@frontdesk/client');\n${show};\n`)).toBe('function');
  expect(run('run.mjs', `import { createFrontdesk } from '@frontdesk/client';\n${show};\n`)).toBe('function');
});

test('maps lead from what runs to sources that come with it', () => {
  for (const folder of ['esm', 'cjs']) {
    const map = JSON.parse(readFileSync(path.join(installed, `dist/${folder}/frontdesk.js.map`), 'utf8')) as {
      sources: string[];
    };
    for (const from of map.sources) {
      expect(readFileSync(path.resolve(installed, 'dist', folder, from), 'utf8')).toContain('createFrontdesk');
    }
  }
});

test('it may be published: public, with a licence, a README and no dependencies', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ license: 'MIT', publishConfig: { access: 'public' } });
  for (const absent of ['private', 'dependencies', 'devDependencies', 'peerDependencies'])
    expect(manifest).not.toHaveProperty(absent);
  for (const file of ['LICENSE', 'README.md']) expect(readFileSync(path.join(installed, file), 'utf8')).not.toBe('');
});
