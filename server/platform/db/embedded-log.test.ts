import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddedLogFile, keepEarlierLog, rotateLog } from './embedded-log';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-log-'));
  file = embeddedLogFile(directory);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function logs(): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort();
  const entries = names.map(async (name) => [name, await readFile(path.join(directory, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

test('the logs of the last three starts are kept', async () => {
  await keepEarlierLog(file);
  expect(await logs()).toEqual({});
  for (const text of ['first', 'second', 'third', 'fourth']) {
    await writeFile(file, text);
    await keepEarlierLog(file);
  }
  expect(await logs()).toEqual({ 'postgres.log.1': 'fourth', 'postgres.log.2': 'third', 'postgres.log.3': 'second' });
});

test('a large log is put aside, and its writer goes on in the emptied one', async () => {
  const writer = await open(file, 'a');
  await writer.write('0123456789');
  await rotateLog(file, 10);
  expect(await logs()).toEqual({ 'postgres.log': '0123456789' });
  await writer.write('more');
  await rotateLog(file, 10);
  await writer.write('later');
  await writer.close();
  expect(await logs()).toEqual({ 'postgres.log': 'later', 'postgres.log.1': '0123456789more' });
});
