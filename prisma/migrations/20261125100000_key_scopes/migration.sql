-- What a key may do, and the agent whose key it is. Keys of earlier versions keep full access.

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "agent_id" UUID,
ADD COLUMN     "scopes" TEXT[] NOT NULL DEFAULT ARRAY['*']::TEXT[];

-- What follows can't be said in the Prisma schema.
-- A key without scopes could do nothing, and would look like one from before there were scopes.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes_check" CHECK (cardinality("scopes") > 0);
