import { env, overrideEnv, setEnvDefaults } from '@/server/platform/env';
import { runProcess } from '@/server/process';
import { business } from './business';
import { startPostOffice } from './post-office';
import { demoCredentials, seedDemo } from './seed';

/** `npm run demo`: the server on a data directory and embedded database of its own, filled with one believable business. */
setEnvDefaults({ DATA_DIR: '.data-demo', LOG_LEVEL: 'error', INBOUND_SMTP_PORT: '0' });

async function announce(url: string): Promise<string[]> {
  const { email, password, apiKey } = await demoCredentials();
  return [
    '',
    `Frontdesk demo: ${business.displayName}`,
    '',
    `  Dashboard  ${url}`,
    `  Email      ${email}`,
    `  Password   ${password ?? '(the one you changed it to)'}`,
    '',
    '  Customers as JSON:',
    '',
    `  curl -s '${url}/api/v1/identity/customers?limit=3' -H 'Authorization: Bearer ${apiKey}'`,
    '',
    '  The public blog:',
    '',
    `  ${url}/blog/${business.handle}`,
    '',
    '  A message to the inbox:',
    '',
    `  printf 'From: Ann <ann@quark.example>\\nSubject: Hello\\n\\nIs the shop open on Saturday?\\n' | curl -s smtp://localhost:${env().INBOUND_SMTP_PORT} --mail-from ann@quark.example --mail-rcpt ${business.address} -T -`,
    '',
  ];
}

runProcess({
  prepareData: async () => {
    await startPostOffice();
    await seedDemo();
  },
  announce,
  // A demo must never write into a database somebody works with.
  prepareSettings: () => {
    overrideEnv({ DATABASE_URL: undefined });
  },
});
