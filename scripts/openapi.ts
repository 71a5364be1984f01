import { rest } from '@/server/registry';

/** Prints the OpenAPI document without starting a server: `npm run -s openapi`. */
process.stdout.write(`${JSON.stringify(rest.document(), null, 2)}\n`);
