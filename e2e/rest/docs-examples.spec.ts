import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIRequestContext } from '@playwright/test';
import { freePort } from '../support/installation';
import { test as base, expect, type Tenant } from '../support/test';

/** The programs in docs/follow-what-happens.md, run as they are. */

const guide = readFileSync('docs/follow-what-happens.md', 'utf8');
const blocks = new Map(
  [...guide.matchAll(/```\w+ title="([^"]+)"\n(.*?)```\n/gs)].map(([, name = '', code = '']) => [name, code]),
);

function codeOf(name: string): string {
  const code = blocks.get(name);
  if (code === undefined) throw new Error(`The guide has no ${name}.`);
  return code;
}

interface Program {
  output(): string;
  stop(): Promise<void>;
}

type Run = (name: string, env?: Record<string, string>, edit?: (code: string) => string) => Promise<Program>;

const client = pathToFileURL(path.resolve('clients/typescript/src/index.ts')).href;
const commands: Record<string, string[]> = {
  '.sh': ['bash'],
  '.ts': [path.resolve('node_modules/.bin/tsx')],
  '.py': ['python3'],
};

/** Ends a program and those it has started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

const test = base.extend<{ run: Run }>({
  run: async ({ baseURL, tenant }, use) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-guide-'));
    const started: ChildProcess[] = [];
    await use(async (name, env = {}, edit = (code) => code) => {
      const { ext } = path.parse(name);
      // Outside a package, only .mts is a module.
      const file = path.join(folder, name.replace(/\.ts$/, '.mts'));
      await writeFile(file, edit(codeOf(name)).replace("'@frontdesk/client'", `'${client}'`));
      const [program = '', ...args] = commands[ext] ?? [];
      const child = spawn(program, [...args, file], {
        cwd: folder,
        detached: true,
        env: { ...process.env, FRONTDESK_URL: baseURL ?? '', FRONTDESK_API_KEY: tenant.key, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      const chunks: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
      return { output: () => chunks.join(''), stop: () => end(child) };
    });
    for (const child of started) await end(child);
    await rm(folder, { recursive: true, force: true });
  },
});

async function createCustomer(request: APIRequestContext, { key }: Tenant): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const email = `${Math.random().toString(36).slice(2)}@quark.example`;
  const answer = await request.post('/api/v1/identity/customers', { headers, data: { contacts: [{ email }] } });
  return (await answer.json()).id;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const canRun = (name: string) => hasPython || !name.endsWith('.py');

for (const name of ['follow.sh', 'follow.ts', 'follow.py'].filter(canRun)) {
  test(`${name} prints what happens`, async ({ run, request, tenant }) => {
    const program = await run(name);
    const made: string[] = [];
    // It begins at the present, which is some time after its start.
    const isPrinted = async () => {
      made.push(await createCustomer(request, tenant));
      return made.some((id) => program.output().includes(id));
    };
    await expect.poll(isPrinted, { intervals: [1_000], message: 'prints a new customer' }).toBe(true);
    if (name === 'follow.sh') return;

    await program.stop();
    const missed = await createCustomer(request, tenant);
    const again = await run(name);
    await expect.poll(() => again.output()).toContain(`customer.created ${missed}`);
  });
}

for (const name of ['receiver.ts', 'receiver.py'].filter(canRun)) {
  test(`${name} takes what is signed, and nothing else`, async ({ run, request, tenant }) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const creating = await run('create-webhook.sh', {}, (code) => code.replace('https://shop.example/frontdesk', url));
    await expect.poll(() => creating.output()).toContain('whsec_');
    const { secret } = JSON.parse(creating.output());
    const program = await run(name, { PORT: String(port), WEBHOOK_SECRET: secret });
    const forge = (headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', headers, body: '{}' }).then(
        ({ status }) => status,
        () => null,
      );
    await expect.poll(() => forge(), { message: 'refuses what has no signature' }).toBe(400);
    const now = String(Math.floor(Date.now() / 1000));
    const signature = `v1,${'A'.repeat(43)}=`;
    expect(await forge({ 'webhook-id': 'x', 'webhook-timestamp': now, 'webhook-signature': signature })).toBe(400);
    const id = await createCustomer(request, tenant);
    await expect.poll(() => program.output()).toContain(`customer.created ${id}`);
  });
}
