import { cruise, format } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/**
 * `npm run imports`: the rules of .dependency-cruiser.cjs, and that neither features nor the folders of the platform need each other in
 * a circle.
 */

const roots = ['app', 'clients', 'server', 'prisma', 'scripts', 'e2e', 'bench', 'proxy.ts', 'instrumentation.ts'];

/** The feature or the folder of the platform that a file belongs to. Tests, and SQL that depends on nothing, may be used by all. */
function partOf(file) {
  if (/\.test\.tsx?$|\.sql\.ts$/.test(file)) return undefined;
  return /^server\/(?:features|platform)\/[^/]+(?=\/)/.exec(file)?.[0];
}

/** The imports from one part to another, by both. */
function importsBetweenParts(modules) {
  const found = new Map();
  for (const { source, dependencies } of modules) {
    const from = partOf(source);
    for (const { resolved } of dependencies) {
      const to = partOf(resolved);
      if (from === undefined || to === undefined || from === to) continue;
      if (!found.has(from)) found.set(from, new Map());
      if (!found.get(from).has(to)) found.get(from).set(to, `${source} → ${resolved}`);
    }
  }
  return found;
}

/** The first circle found from a part: its parts in order; undefined if there is none. */
function circleFrom(imports, part, path = [], done = new Set()) {
  const at = path.indexOf(part);
  if (at !== -1) return path.slice(at);
  if (done.has(part)) return undefined;
  for (const next of imports.get(part)?.keys() ?? []) {
    const circle = circleFrom(imports, next, [...path, part], done);
    if (circle) return circle;
  }
  done.add(part);
  return undefined;
}

const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const { output } = await cruise(roots, options, undefined, { tsConfig: extractTSConfig('tsconfig.json') });
process.stdout.write((await format(output, { outputType: 'err' })).output);

const imports = importsBetweenParts(output.modules);
let circle;
for (const part of imports.keys()) circle ??= circleFrom(imports, part);
if (circle) process.stdout.write('These need each other in a circle:\n');
for (const [index, part] of circle?.entries() ?? []) {
  process.stdout.write(`  ${imports.get(part).get(circle[(index + 1) % circle.length])}\n`);
}
process.exitCode = output.summary.error > 0 || circle ? 1 : 0;
