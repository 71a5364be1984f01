import { openApiDocument } from '@/server/platform/rest/openapi';

/** Prints the OpenAPI document without starting anything: `npm run -s openapi`. */
process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
