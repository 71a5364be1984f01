import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exitOf, tied } from '@/server/testing/child-process';
import { within } from '@/server/testing/patience';
import { findProgram } from '@/server/testing/program';
import { freePort, makeDataDir } from './installation';

/** A real reverse proxy with the documented configuration. */
export interface ReverseProxy {
  url: string;
  stop(): Promise<void>;
}

/** Null if it is not installed, except in CI, where that fails. */
export const programs = { haproxy: findProgram('haproxy'), nginx: findProgram('nginx') };

/** The first code block of a language in a document. */
async function documented(file: string, language: string): Promise<string> {
  const [, block] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(file, 'utf8')) ?? [];
  if (!block) throw new Error(`${file} has no block of ${language}.`);
  return block;
}

/** Replaces a document's example values; each of them must occur. */
function replaceExamples(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`The documented configuration has no ${from}.`);
    return current.replaceAll(from, to);
  }, text);
}

async function launch(program: string | null, configuration: string, port: number, flags: (file: string) => string[]) {
  const folder = await makeDataDir();
  await mkdir(path.join(folder, 'tmp'));
  const file = path.join(folder, 'proxy.conf');
  await writeFile(file, configuration.replaceAll('FOLDER', folder));
  let output = '';
  const child = spawn(...tied(program ?? '', flags(file)), { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + within(5);
  while (!(await fetch(url).catch(() => null))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${program} did not start:\n${output}`);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exitOf(child);
    await rm(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

/** HAProxy as in docs/operations.md, in front of three servers on this machine. */
export async function startHaproxy(serverPorts: readonly number[]): Promise<ReverseProxy> {
  const port = await freePort();
  const configuration = replaceExamples(await documented('docs/operations.md', 'haproxy'), {
    'bind :80': `bind 127.0.0.1:${port}`,
    '10.0.0.11:3000': `127.0.0.1:${serverPorts[0]}`,
    '10.0.0.12:3000': `127.0.0.1:${serverPorts[1]}`,
    '10.0.0.13:3000': `127.0.0.1:${serverPorts[2]}`,
  });
  return launch(programs.haproxy, configuration, port, (file) => ['-db', '-f', file]);
}

/**
 * nginx with the location of README.md.
 *
 * @param changes what else to replace in it, e.g. a line to omit
 */
export async function startNginx(port: number, serverPort: number, changes: Record<string, string> = {}): Promise<ReverseProxy> {
  const location = replaceExamples(await documented('README.md', 'nginx'), {
    '127.0.0.1:3000': `127.0.0.1:${serverPort}`,
    ...changes,
  });
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path "FOLDER/tmp/${name}";`);
  const configuration = `
    daemon off;
    master_process off;
    pid "FOLDER/nginx.pid";
    error_log stderr;
    events {}
    http {
      access_log off;
      ${folders.join('\n')}
      server {
        listen 127.0.0.1:${port};
        ${location}
      }
    }`;
  return launch(programs.nginx, configuration, port, (file) => ['-p', path.dirname(file), '-c', file]);
}
