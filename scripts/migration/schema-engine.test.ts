import { expect, test } from 'vitest';
import { type Datamodel, diffDatamodels } from './schema-engine';

function datamodel(fields: string): Datamodel {
  const content = `datasource db {\n  provider = "postgresql"\n}\n\nmodel Customer {\n  id Int @id\n${fields}\n}\n`;
  return [{ path: 'schema.prisma', content }];
}

test('the way from nothing makes the tables and leaves the schema "public" alone', async () => {
  const sql = await diffDatamodels(null, datamodel(''));
  expect(sql).toContain('CREATE TABLE "Customer"');
  expect(sql).not.toContain('CREATE SCHEMA');
});

test('the way between two datamodels is their difference', async () => {
  expect(await diffDatamodels(datamodel(''), datamodel('  phone String @default("")'))).toBe(
    `-- AlterTable\nALTER TABLE "Customer" ADD COLUMN     "phone" TEXT NOT NULL DEFAULT '';\n`,
  );
});

test('there is no way between datamodels that differ in words only', async () => {
  expect(await diffDatamodels(datamodel(''), datamodel('  /// nobody writes here'))).toBe('');
});
