import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePages, ensureServer, projectRoot } from '../scripts/build.mjs';
import { agents } from './sections/agents';
import { calendar, calendarSql } from './sections/calendar';
import { conversations } from './sections/conversations';
import { deliveries } from './sections/deliveries';
import { events } from './sections/events';
import { facade } from './sections/facade';
import { flatness } from './sections/flatness';
import { hostileMail } from './sections/hostile-mail';
import { limits } from './sections/limits';
import { mail } from './sections/mail';
import { mailboxes } from './sections/mailboxes';
import { memory } from './sections/memory';
import { pages } from './sections/pages';
import { posts } from './sections/posts';
import { restore } from './sections/restore';
import { scale } from './sections/scale';
import { soak } from './sections/soak';
import { start } from './sections/start';
import { stats } from './sections/stats';
import { threads } from './sections/threads';
import { throughput } from './sections/throughput';
import { track } from './sections/track';
import { upgrade } from './sections/upgrade';
import { weight } from './sections/weight';
import { type Table, toMarkdown } from './table';

/** `npm run bench`: measures, prints tables and keeps them in bench/README.md. See there. */

const sections: Record<string, (options: { quick: boolean }) => Promise<Table>> = {
  throughput,
  track,
  agents,
  stats,
  mail,
  'hostile-mail': hostileMail,
  mailboxes,
  conversations,
  threads,
  memory,
  posts,
  pages,
  calendar,
  'calendar-sql': calendarSql,
  events,
  deliveries,
  limits,
  weight,
  facade,
  soak,
  start,
  flatness,
  scale,
  upgrade,
  restore,
};

function chosenSections(names: string[]): string[] {
  const unknown = names.find((name) => !Object.hasOwn(sections, name));
  if (unknown !== undefined) throw new Error(`There is no section ${unknown}; there are: ${Object.keys(sections).join(', ')}.`);
  return names.length > 0 ? names : Object.keys(sections);
}

function conditions(): string {
  const [date] = new Date().toISOString().split('T', 1);
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  const [node] = process.versions.node.split('.', 1);
  const load = os.loadavg()[0]?.toFixed(1);
  return `${date}, ${os.availableParallelism()} cores, ${gigabytes} GB, Node ${node}, PostgreSQL 18 embedded; load average before: ${load}.`;
}

/** Puts a section's table between its marks in bench/README.md, in place of its last one. */
function keep(name: string, text: string): void {
  const file = path.join(projectRoot, 'bench', 'README.md');
  const readme = readFileSync(file, 'utf8');
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [readme.indexOf(open), readme.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`bench/README.md has no place for ${name}.`);
  writeFileSync(file, `${readme.slice(0, from + open.length)}\n${text}\n${readme.slice(to)}`);
}

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean', default: false } }, allowPositionals: true });
const chosen = chosenSections(positionals);
process.chdir(projectRoot);
console.log('Building what has changed …');
await ensureServer();
if (!process.env.BENCH_PRODUCT) await ensurePages();
for (const name of chosen) {
  const measuredOn = conditions();
  const table = await sections[name]?.({ quick: values.quick });
  if (!table) continue;
  const text = `${toMarkdown(table)}\n\nMeasured ${measuredOn}`;
  console.log(`\n${text}`);
  // What a quick run finds is too rough to be kept.
  if (!values.quick) keep(name, text);
}
