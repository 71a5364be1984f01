import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext } from '@playwright/test';

/** What a failed test prints: what its browsers reported, and the ends of the logs of its servers. */

interface WatchedServer {
  name: string;
  output(): string | Promise<string>;
  hasEnded(): boolean;
}

const servers = new Set<WatchedServer>();
const reports: string[] = [];

/** The most lines of each kind. */
const lines = 40;

/** The environment variable with the file that the shared installation's output goes to. */
export const sharedLogVariable = 'FRONTDESK_E2E_LOG';

/** A server that the tests of this process have started; it is forgotten after the test in which it ended. */
export function watchServer(server: WatchedServer): void {
  servers.add(server);
}

/** Notes what the pages of a browser complain of. */
export function watchBrowser(browser: Browser): void {
  for (const context of browser.contexts()) watchContext(context);
  browser.on('context', watchContext);
}

function watchContext(context: BrowserContext): void {
  context.on('weberror', (error) => reports.push(`${error.page()?.url()}: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') reports.push(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on('requestfailed', (request) => {
    reports.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) reports.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
}

const end = (text: string) => text.trimEnd().split('\n').slice(-lines).join('\n');

async function sharedLog(): Promise<string> {
  const file = process.env[sharedLogVariable];
  return file ? readFile(file, 'utf8').catch(() => '') : '';
}

/** Prints the report of a failed test, with what came before it; for one that passed, nothing. */
export async function endReport(title: string, hasFailed: boolean): Promise<void> {
  if (hasFailed) {
    const sections = [
      ['The browser', reports.join('\n')],
      ...(await Promise.all([...servers].map(async ({ name, output }) => [name, await output()]))),
      ['The shared installation', await sharedLog()],
    ];
    const told = sections.filter(([, text]) => text).map(([name, text = '']) => `── ${name}\n${end(text)}`);
    if (told.length > 0) process.stdout.write(`\n── ${title}\n${told.join('\n')}\n\n`);
  }
  reports.splice(0);
  for (const server of servers) if (server.hasEnded()) servers.delete(server);
}
