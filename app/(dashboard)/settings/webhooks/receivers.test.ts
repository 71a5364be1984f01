import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pythonReceiver, typescriptReceiver } from './_components/receivers';

test.each([
  ['TypeScript', typescriptReceiver],
  ['Python', pythonReceiver],
])('the %s receiver is the one of the guide, whose examples are run in e2e/rest/docs-examples.spec.ts', (_name, code) => {
  expect(readFileSync('docs/follow-what-happens.md', 'utf8')).toContain(`\n${code}\`\`\`\n`);
});
