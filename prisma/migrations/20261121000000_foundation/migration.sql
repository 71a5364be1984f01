-- CreateEnum
CREATE TYPE "identity_scope" AS ENUM ('identity', 'business');

-- CreateEnum
CREATE TYPE "plan" AS ENUM ('free', 'solopreneur', 'small_business', 'enterprise');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "session_epoch" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setup_tokens" (
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setup_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "sign_in_throttle" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "sign_in_throttle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_daily_usage" (
    "api_key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "api_key_daily_usage_pkey" PRIMARY KEY ("api_key_id","day")
);

-- CreateTable
CREATE TABLE "customers" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "company" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "notes" TEXT NOT NULL DEFAULT '',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "external_contacts" (
    "identity_id" UUID NOT NULL,
    "guid" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "customer_id" UUID,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "link_order" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_contacts_pkey" PRIMARY KEY ("identity_id","guid")
);

-- CreateTable
CREATE TABLE "customer_counts" (
    "identity_id" UUID NOT NULL,
    "shard" SMALLINT NOT NULL,
    "customers" BIGINT NOT NULL,

    CONSTRAINT "customer_counts_pkey" PRIMARY KEY ("identity_id","shard")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "owner_user_id" UUID NOT NULL,
    "scope" "identity_scope" NOT NULL DEFAULT 'identity',
    "plan" "plan" NOT NULL DEFAULT 'free',
    "address" TEXT,
    "display_name" TEXT,
    "profile" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "whitelisted_addresses" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "whitelisted_addresses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_identity_id_created_at_idx" ON "api_keys"("identity_id", "created_at");

-- CreateIndex
CREATE INDEX "api_key_daily_usage_day_idx" ON "api_key_daily_usage"("day");

-- CreateIndex
CREATE INDEX "customers_identity_id_created_at_id_idx" ON "customers"("identity_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_identity_id_id_key" ON "customers"("identity_id", "id");

-- CreateIndex
CREATE INDEX "external_contacts_identity_id_customer_id_idx" ON "external_contacts"("identity_id", "customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "external_contacts_identity_id_email_key" ON "external_contacts"("identity_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "identities_handle_key" ON "identities"("handle");

-- CreateIndex
CREATE UNIQUE INDEX "identities_address_key" ON "identities"("address");

-- CreateIndex
CREATE INDEX "identities_owner_user_id_idx" ON "identities"("owner_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "whitelisted_addresses_address_key" ON "whitelisted_addresses"("address");

-- CreateIndex
CREATE UNIQUE INDEX "whitelisted_addresses_identity_id_handle_key" ON "whitelisted_addresses"("identity_id", "handle");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_daily_usage" ADD CONSTRAINT "api_key_daily_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_contacts" ADD CONSTRAINT "external_contacts_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_contacts" ADD CONSTRAINT "external_contacts_identity_id_customer_id_fkey" FOREIGN KEY ("identity_id", "customer_id") REFERENCES "customers"("identity_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_counts" ADD CONSTRAINT "customer_counts_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_owner_user_id_fkey" FOREIGN KEY ("owner_user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "whitelisted_addresses" ADD CONSTRAINT "whitelisted_addresses_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows can't be said in the Prisma schema.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

ALTER TABLE "customers" ALTER COLUMN "tags" SET NOT NULL;

-- Filters of the customer list. One index serves any subset of its columns; ILIKE and @> both use it.
CREATE INDEX "customers_filters_idx" ON "customers"
  USING gin ("identity_id", ("company" || E'\n' || "notes") gin_trgm_ops, "tags");

-- Rises with every linking, so that "the oldest contact of a customer" has one answer.
CREATE SEQUENCE "external_contacts_link_order_seq" OWNED BY "external_contacts"."link_order";

ALTER TABLE "external_contacts" ADD CONSTRAINT "external_contacts_link_check"
  CHECK (("customer_id" IS NULL AND "link_order" IS NULL AND NOT "is_primary") OR ("customer_id" IS NOT NULL AND "link_order" IS NOT NULL));

-- At most one primary contact a customer; the trigger below adds: at least one.
CREATE UNIQUE INDEX "external_contacts_one_primary_key" ON "external_contacts" ("identity_id", "customer_id") WHERE "is_primary";

-- A customer has a primary contact (and so at least one contact) at the end of every transaction. The row lock makes
-- two transactions that each take away "the other" contact wait for each other, and the second one see the first's work.
CREATE FUNCTION "require_primary_contact"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  customer_identity uuid;
  customer uuid;
BEGIN
  IF TG_TABLE_NAME = 'customers' THEN
    customer_identity := NEW.identity_id;
    customer := NEW.id;
  ELSE
    customer_identity := OLD.identity_id;
    customer := OLD.customer_id;
    PERFORM 1 FROM "customers" WHERE "identity_id" = customer_identity AND "id" = customer FOR NO KEY UPDATE;
  END IF;
  IF EXISTS (SELECT 1 FROM "customers" WHERE "identity_id" = customer_identity AND "id" = customer)
    AND NOT EXISTS (SELECT 1 FROM "external_contacts"
      WHERE "identity_id" = customer_identity AND "customer_id" = customer AND "is_primary")
  THEN
    RAISE EXCEPTION 'customer % has no primary contact', customer
      USING ERRCODE = 'check_violation', CONSTRAINT = 'customers_primary_contact_check';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "customers_primary_contact" AFTER INSERT ON "customers"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "require_primary_contact"();

CREATE CONSTRAINT TRIGGER "external_contacts_primary_contact" AFTER UPDATE OR DELETE ON "external_contacts"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."is_primary") EXECUTE FUNCTION "require_primary_contact"();

-- Exact counts without counting rows; see CustomerCount in the schema. A shard alone means nothing, their sum does.
ALTER TABLE "customer_counts" SET (fillfactor = 50);

CREATE FUNCTION "count_customers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "customer_counts" AS counts ("identity_id", "shard", "customers")
    SELECT "identity_id", pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
  ON CONFLICT ("identity_id", "shard") DO UPDATE SET "customers" = counts."customers" + excluded."customers";
  RETURN NULL;
END $$;

CREATE TRIGGER "customers_counted_insert" AFTER INSERT ON "customers"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_customers"();

CREATE TRIGGER "customers_counted_delete" AFTER DELETE ON "customers"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_customers"();
