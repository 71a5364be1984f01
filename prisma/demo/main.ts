import { overrideEnv, setEnvDefaults } from '@/server/env';
import { runProcess } from '@/server/process';
import { business } from './business';
import { demoCredentials, seedDemo } from './seed';

/** `npm run demo`: the server on a data directory and embedded database of its own, filled with one believable business. */
setEnvDefaults({ DATA_DIR: '.data-demo', LOG_LEVEL: 'warn' });

async function announce(url: string): Promise<string[]> {
  const { email, password, apiKey } = await demoCredentials();
  return [
    '',
    `Frontdesk demo: ${business.displayName}`,
    '',
    `  Dashboard  ${url}`,
    `  E-mail     ${email}`,
    `  Password   ${password ?? '(the one you changed it to)'}`,
    '',
    '  Customers as JSON:',
    '',
    `  curl -s '${url}/api/v1/identity/customers?limit=3' -H 'Authorization: Bearer ${apiKey}'`,
    '',
  ];
}

runProcess({
  prepareData: seedDemo,
  announce,
  // A demo must never write into a database somebody works with.
  prepareSettings: () => {
    overrideEnv({ DATABASE_URL: undefined });
  },
});
