/**
 * The one direction imports may take: app → server/api → server/modules → server engines → server ground.
 * `npm run imports` checks it; each rule says why it exists.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What everything may stand on; importable from anywhere in the server. */
const ground = '^server/(actor|end-process|env|errors|log|loading-cache|outage-log|plan|process-globals|semaphore)\\.ts$';
/** What modules stand on. */
const engines = '^server/(answer-page|auth|backup|blog-site|calendar|db|files|images|jobs|mail|markdown|outbound)/';
const modules = '^server/modules/';
const api = '^server/api/';
/** Tests and their support may reach for anything in the server. */
const tests = '\\.test\\.tsx?$|^server/testing/|^server/mail/corpus/';
/**
 * What a browser may load of the server: schemas, the plans, the pure rules of escalation and of quoted text and the calendar's words
 * that both sides share, and nothing that only a process can run.
 */
const browserSafe =
  '^server/(plan\\.ts$|calendar/(series|words|zones)\\.ts$|mail/mail-text\\.ts$|modules/account/user-agent\\.ts$|modules/agents/escalation\\.ts$|.*\\.(schema|limits)\\.ts$)';

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
const browser = ['^app/.*/_components/', '^app/_kit/', ...browserFiles().map((path) => `^${literal(path)}$`)];

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
      name: 'ground-stands-alone',
      comment: 'Errors, settings, actors, log and plans know nothing of what stands on them.',
      severity: 'error',
      from: { path: ground },
      to: { path: '^(app|server)/', pathNot: ground },
    },
    {
      name: 'engines-know-no-resources',
      comment: 'Database, sign-in, mail and jobs serve modules; they never call them.',
      severity: 'error',
      from: { path: engines, pathNot: tests },
      to: { path: '^server/', pathNot: [engines, ground] },
    },
    {
      name: 'modules-know-no-transport',
      comment: 'Services and schemas work the same for REST, dashboard, command line and jobs.',
      severity: 'error',
      from: { path: modules, pathNot: [tests, '\\.router\\.ts$'] },
      to: { path: '^server/', pathNot: [modules, engines, ground] },
    },
    {
      name: 'modules-meet-at-services',
      comment: "Another module is reached through its service or schema, never through its tables' queries or its router.",
      severity: 'error',
      from: { path: '^server/modules/([^/]+)/', pathNot: tests },
      to: { path: '^server/modules/[^/]+/', pathNot: ['^server/modules/$1/', '\\.(service|schema)\\.ts$'] },
    },
    {
      name: 'nobody-calls-routers',
      comment: 'Only the registry knows routers; what one would want of a router is in its service.',
      severity: 'error',
      from: { pathNot: [tests, '^server/api/router\\.ts$'] },
      to: { path: '\\.router\\.ts$' },
    },
    {
      name: 'routers-only-declare',
      comment: "A router is metadata, input, output and one call of its module's service.",
      severity: 'error',
      from: { path: '^server/modules/([^/]+)/.+\\.router\\.ts$' },
      to: {
        path: '^(app|server)/',
        pathNot: [
          '^server/modules/$1/[^/]+\\.(service|schema)\\.ts$',
          '^server/modules/[^/]+\\.schema\\.ts$',
          '^server/api/trpc\\.ts$',
        ],
      },
    },
    {
      name: 'transports-know-no-process',
      comment: 'server/api is called by the process and by Next.js; it starts neither.',
      severity: 'error',
      from: { path: api, pathNot: tests },
      to: { path: '^server/', pathNot: [api, modules, engines, ground] },
    },
    {
      name: 'transports-have-no-rules',
      comment: 'A transport calls procedures and services; what a module keeps to itself is not its business.',
      severity: 'error',
      from: { path: api, pathNot: tests },
      to: { path: modules, pathNot: '\\.(router|service|schema)\\.ts$' },
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
      from: { path: browser },
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
      from: { path: '^app/' },
      to: { path: '^server/', pathNot: [api, '^server/auth/', ground, browserSafe], dependencyTypesNot: ['type-only'] },
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
    doNotFollow: { path: ['node_modules', '^server/db/generated/', '^\\.next/', '(^|/)dist/'] },
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
