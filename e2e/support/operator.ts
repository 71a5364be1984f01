import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { dataDirVariable } from './installation';

const run = promisify(execFile);

/** Runs the operator's command line on the installation under test and returns the object it prints. */
export async function operator(...args: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, DATA_DIR: process.env[dataDirVariable], DATABASE_URL: '' };
  const { stdout } = await run(process.execPath, [path.resolve('scripts/admin.mjs'), ...args], { env });
  return JSON.parse(stdout) as Record<string, string>;
}
