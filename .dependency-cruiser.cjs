/**
 * The one direction imports may take: app → server/registry → server/features → server/platform.
 * `npm run imports` checks it, and that no folders need each other in a circle; each rule says why it exists.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const platform = '^server/platform/';
const features = '^server/features/';
/** What starts the process and the operator's commands. */
const programs = '^server/(main|process)\\.ts$|^server/admin/|^server/features/backup/main\\.ts$';
/** Tests and their support may reach for anything in the server. */
const tests = '\\.test\\.tsx?$|/testing/';
/** What a feature declares of itself. */
const manifests = '^server/features/[^/]+/feature\\.ts$';
/** What a browser may load of the server: schemas, limits, and the pure rules and labels that both sides share. */
const browserSafe =
  '^server/(platform/(plan|search-words|ical/(series|zones)|mail/mail-text)\\.ts$|features/(calendar/labels|customers/customer-hit|conversations/snippet-text|accounts/user-agent|agents/escalation|notifications/notification-path)\\.ts$|.*\\.(schema|limits)\\.ts$)';

/** Files below `app/` that run in the browser: those that say so, and all components of a page. */
function browserFiles(directory = join(__dirname, 'app'), prefix = 'app') {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return browserFiles(join(directory, entry.name), path);
    if (!/\.tsx?$/.test(entry.name) || path.includes('/_components/')) return [];
    return /^\s*(['"])use client\1/.test(readFileSync(join(directory, entry.name), 'utf8')) ? [path] : [];
  });
}

const literal = (path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const browser = [
  '^app/.*/_components/',
  '^app/_kit/',
  '^app/.*section\\.ts$',
  ...browserFiles().map((path) => `^${literal(path)}$`),
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one thing in two places, and load in an order nobody chose.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere. What the build makes is not there yet.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(\\.\\./)?dist/' },
    },
    {
      name: 'stay-inside',
      comment: 'A clone holds all there is: nothing outside the repository is imported.',
      severity: 'error',
      from: {},
      to: { path: '^(\\.\\.|/)', pathNot: 'node_modules', couldNotResolve: false },
    },
    {
      name: 'server-never-imports-app',
      comment: 'The server works without its dashboard.',
      severity: 'error',
      from: { path: '^(server|prisma|bench)/' },
      to: { path: '^app/' },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'What any product of this kind needs calls nothing of this one: routes, jobs and receivers are handed to it.',
      severity: 'error',
      from: { path: platform, pathNot: tests },
      to: { path: '^server/', pathNot: platform },
    },
    {
      name: 'features-stand-on-the-platform',
      comment: 'A feature is listed in the registry and never looks there, nor at the process.',
      severity: 'error',
      from: { path: features, pathNot: [tests, programs] },
      to: { path: '^server/', pathNot: [features, platform] },
    },
    {
      name: 'features-meet-at-services',
      comment:
        'Another feature is reached through its service, its schema or the SQL it publishes, never through its queries or its router.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: [tests, manifests] },
      to: { path: '^server/features/[^/]+/', pathNot: ['^server/features/$1/', '\\.(service|schema|sql)\\.ts$'] },
    },
    {
      name: 'manifests-hand-over',
      comment: 'A manifest may also hand a service of its feature to a route of another one.',
      severity: 'error',
      from: { path: manifests.replace('[^/]+', '([^/]+)') },
      to: {
        path: '^server/features/[^/]+/',
        pathNot: ['^server/features/$1/', '\\.(service|schema|sql)\\.ts$', '-endpoint\\.ts$'],
      },
    },
    {
      name: 'published-sql-is-text',
      comment: 'SQL that a feature publishes (`X.sql.ts`) depends on nothing, so every feature may use it.',
      severity: 'error',
      from: { path: '\\.sql\\.ts$' },
      to: {},
    },
    {
      name: 'nobody-calls-routers',
      comment: 'Only manifests know routers; what one would want of a router is in its service.',
      severity: 'error',
      from: { pathNot: [tests, manifests] },
      to: { path: '\\.router\\.ts$' },
    },
    {
      name: 'routers-only-declare',
      comment: 'A router is metadata, input, output and one call of a service.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/.+\\.router\\.ts$' },
      to: {
        path: '^(app|server)/',
        pathNot: [
          '^server/features/[^/]+/[^/]+\\.(service|schema)\\.ts$',
          '^server/platform/[^/]+\\.schema\\.ts$',
          '^server/platform/trpc/trpc\\.ts$',
        ],
      },
    },
    {
      name: 'registry-is-for-programs',
      comment: 'The registry lists what there is, for the process, for pages and for the scripts that describe the API.',
      severity: 'error',
      from: { pathNot: [tests, programs, '^app/', '^(scripts|clients|e2e|bench)/'] },
      to: { path: '^server/registry\\.ts$' },
    },
    {
      name: 'schemas-run-anywhere',
      comment: 'The browser loads schemas and pure rules, so they load nothing that it could not.',
      severity: 'error',
      from: { path: browserSafe },
      to: { path: '^server/', pathNot: browserSafe, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'schemas-need-no-node',
      comment: 'The browser loads schemas and pure rules; it has no Node.js.',
      severity: 'error',
      from: { path: browserSafe },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-loads-no-server',
      comment:
        'What runs in the browser takes schemas, plans, pure rules and types of the server; all else would be shipped to it.',
      severity: 'error',
      from: { path: browser, pathNot: tests },
      to: { path: '^server/', pathNot: browserSafe, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'browser-has-no-node',
      comment: 'The browser has no Node.js.',
      severity: 'error',
      from: { path: browser },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pages-go-through-the-api',
      comment: 'Pages read and write through procedures, as any client does; queries and rules are out of their reach.',
      severity: 'error',
      from: { path: '^app/', pathNot: tests },
      to: { path: '^server/', pathNot: ['^server/registry\\.ts$', platform, browserSafe], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'journeys-stay-outside',
      comment: 'End-to-end tests see what a client sees. Public schemas are fine: they check answers against the contract.',
      severity: 'error',
      from: { path: '^e2e/', pathNot: '^e2e/support/' },
      to: { path: '^(app|server)/', pathNot: browserSafe, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-needs-no-tests',
      comment: 'The product never loads tests, their support or what only development installs.',
      severity: 'error',
      from: { path: '^(app|server|prisma)/', pathNot: tests },
      to: { path: [tests, '^(e2e|bench)/'] },
    },
    {
      name: 'product-needs-no-dev-dependencies',
      comment: '`npm ci --omit=dev` must be enough to build and run.',
      severity: 'error',
      from: { path: '^(app|server)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    },
    {
      name: 'clients-stand-alone',
      comment: 'A client is installed without the server and has no dependencies: its sources import nothing but each other.',
      severity: 'error',
      from: { path: '^clients/([^/]+)/src/' },
      to: { pathNot: '^clients/$1/src/' },
    },
    {
      name: 'product-needs-no-clients',
      comment: 'A client stands outside; the product never loads one.',
      severity: 'error',
      from: { path: '^(app|server|prisma|scripts)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'declared-dependencies',
      comment: 'What is imported is declared in package.json, not found by luck in node_modules.',
      severity: 'error',
      // The client's tests and scripts run in this repository only and use its tools; its package has none of them.
      from: { path: '^(app|clients/[^/]+/src|server|scripts|prisma|e2e|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^server/platform/db/generated/', '^\\.next/', '(^|/)dist/'] },
    exclude: { path: ['^\\.next/', '(^|/)dist/', '^public/', '\\.css$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.jsx', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
