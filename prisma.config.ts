import { defineConfig } from 'prisma/config';

/** Read by the Prisma command line only; the server applies `prisma/migrations` itself (see docs/adr/0003). */
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
});
