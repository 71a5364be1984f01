import type { TestProject } from 'vitest/node';
import { migrate } from '@/server/platform/db/migrate';
import { letServerSignIn, prepareRoles } from '@/server/platform/db/roles';
import { createDatabase, startTestPostgres, templateName } from './postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run; each test file creates its own database on it. */
    postgresUrl: string;
    /** A folder that is removed with it. */
    testDirectory: string;
  }
}

/** Once per run: one PostgreSQL for all test files, with the migrations applied to a template. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  try {
    const template = await createDatabase(postgres.url, templateName);
    await migrate(template);
    await prepareRoles(template);
    await letServerSignIn(template);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  project.provide('postgresUrl', postgres.url);
  project.provide('testDirectory', postgres.directory);
  return postgres.stop;
}
