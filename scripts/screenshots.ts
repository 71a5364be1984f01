import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';

/**
 * `npm run screenshots`: takes the README's pictures (docs/images) from the real pages of a fresh demo. Like the tests, it
 * needs a build and a Chromium.
 */

interface Demo {
  url: string;
  email: string;
  password: string;
  stop(): Promise<void>;
}

/** Starts a demo, and waits until it has printed its login. */
async function startDemo(dataDir: string): Promise<Demo> {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
  const child = spawn(process.execPath, ['scripts/start.mjs', 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const facts = await new Promise<Omit<Demo, 'stop'>>((resolve, reject) => {
    void exited.then(() => reject(new Error(`The demo ended:\n${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, url] = /(http:\/\/localhost:\d+)/.exec(output) ?? [];
      const [, email] = /Email\s+(\S+)/.exec(output) ?? [];
      const [, password] = /Password\s+(\S+)/.exec(output) ?? [];
      if (url && email && password && output.includes('sk_live_')) resolve({ url, email, password });
    });
  });
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { ...facts, stop };
}

const systemChromium = '/usr/bin/chromium';

function launch(): Promise<Browser> {
  return chromium.launch(existsSync(systemChromium) ? { executablePath: systemChromium, args: ['--no-sandbox'] } : {});
}

async function signIn(page: Page, { url, email, password }: Demo): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${url}/`);
}

interface Shot {
  name: string;
  path: string;
  scheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Called before the picture is taken. */
  prepare?(page: Page): Promise<void>;
}

/** Opens the first record of a list. */
async function openFirst(page: Page, prefix: string): Promise<void> {
  await page.locator(`main a[href^="${prefix}/"]`).first().click();
  await page.waitForURL((url) => url.pathname.startsWith(`${prefix}/`));
}

const shots: Shot[] = [
  { name: 'home', path: '/' },
  { name: 'inbox', path: '/inbox', prepare: (page) => openFirst(page, '/inbox') },
  { name: 'customers', path: '/customers' },
  {
    name: 'routes',
    path: '/agents',
    prepare: (page) => openFirst(page, '/agents').then(() => page.getByRole('tab', { name: 'Escalation' }).click()),
  },
  { name: 'calendar', path: '/calendar?view=week', height: 1000 },
  { name: 'editor', path: '/posts', prepare: (page) => openFirst(page, '/posts') },
  { name: 'usage', path: '/usage' },
  { name: 'audit', path: '/audit' },
  { name: 'inbox-dark', path: '/inbox', scheme: 'dark', prepare: (page) => openFirst(page, '/inbox') },
  { name: 'home-phone', path: '/', width: 390, height: 844 },
  { name: 'blog', path: '/blog/harbor-lane' },
];

async function take(
  browser: Browser,
  demo: Demo,
  { name, path: address, scheme = 'light', width = 1440, height = 900, prepare }: Shot,
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  if (!address.startsWith('/blog')) await signIn(page, demo);
  await page.goto(`${demo.url}${address}`);
  await prepare?.(page);
  // Pages poll, so the network is never idle for long.
  await page.waitForTimeout(2_000);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join('docs', 'images', `${name}.png`), animations: 'disabled' });
  await context.close();
  process.stdout.write(`docs/images/${name}.png\n`);
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-screenshots-'));
// The embedded database runs as another user if we are root.
await chmod(dataDir, 0o711);
const demo = await startDemo(dataDir);
const browser = await launch();
const only = process.argv.slice(2);
try {
  for (const shot of shots) if (only.length === 0 || only.includes(shot.name)) await take(browser, demo, shot);
} finally {
  await browser.close();
  await demo.stop();
  await rm(dataDir, { recursive: true, force: true });
}
