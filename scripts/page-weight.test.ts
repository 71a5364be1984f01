import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageWeights, weightTable } from './page-weight.mjs';

let build: string;

beforeEach(() => {
  build = mkdtempSync(path.join(tmpdir(), 'page-weight-'));
});

afterEach(() => rmSync(build, { recursive: true }));

function write(file: string, text: string): number {
  mkdirSync(path.dirname(path.join(build, file)), { recursive: true });
  writeFileSync(path.join(build, file), text);
  return gzipSync(text, { level: 9 }).length;
}

function writeManifest(page: string, entryJSFiles: Record<string, string[]>) {
  const manifest = `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST[${JSON.stringify(page)}] = ${JSON.stringify({ entryJSFiles })};`;
  write(`server/app${page}_client-reference-manifest.js`, manifest);
}

test('a page weighs what the framework, its layouts and it itself load, each file once', () => {
  write('build-manifest.json', JSON.stringify({ rootMainFiles: ['static/main.js'] }));
  const main = write('static/main.js', 'framework();');
  const shared = write('static/shared.js', 'shared(1, 2, 3);'.repeat(20));
  const list = write('static/list.js', 'list("customers");');
  write('static/later.js', 'openedLater();');
  writeManifest('/(dashboard)/customers/page', { layout: ['static/shared.js'], page: ['static/shared.js', 'static/list.js'] });
  writeManifest('/page', { layout: ['static/shared.js'], page: ['static/main.js'] });

  const weights = pageWeights(build);

  expect(weights).toEqual([
    { page: '/(dashboard)/customers', bytes: main + shared + list },
    { page: '/', bytes: main + shared },
  ]);
  expect(weightTable(weights).split('\n')).toHaveLength(2);
});
