-- CreateEnum
CREATE TYPE "address_status" AS ENUM ('pending', 'proven', 'contested');

-- CreateEnum
CREATE TYPE "address_proof" AS ENUM ('operator', 'setup', 'dns', 'code', 'earlier');

-- DropIndex
DROP INDEX "whitelisted_addresses_address_key";

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "is_installer" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "address_proof" "address_proof";

-- AlterTable
ALTER TABLE "whitelisted_addresses" ADD COLUMN     "proof" "address_proof",
ADD COLUMN     "proven_at" TIMESTAMPTZ(3),
ADD COLUMN     "status" "address_status" NOT NULL DEFAULT 'pending';

-- CreateTable
CREATE TABLE "address_claims" (
    "address" TEXT NOT NULL,
    "identity_id" UUID NOT NULL,

    CONSTRAINT "address_claims_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "address_codes" (
    "id" UUID NOT NULL,
    "owner_user_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "address_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domain_proofs" (
    "owner_user_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "proven_at" TIMESTAMPTZ(3),
    "checks" INTEGER NOT NULL DEFAULT 0,
    "checked_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domain_proofs_pkey" PRIMARY KEY ("owner_user_id","domain")
);

-- CreateIndex
CREATE INDEX "address_claims_identity_id_idx" ON "address_claims"("identity_id");

-- CreateIndex
CREATE INDEX "address_codes_address_created_at_idx" ON "address_codes"("address", "created_at");

-- CreateIndex
CREATE INDEX "address_codes_owner_user_id_created_at_idx" ON "address_codes"("owner_user_id", "created_at");

-- CreateIndex
CREATE INDEX "domain_proofs_next_check_at_idx" ON "domain_proofs"("next_check_at");

-- CreateIndex
CREATE INDEX "whitelisted_addresses_address_idx" ON "whitelisted_addresses"("address");

-- CreateIndex
CREATE UNIQUE INDEX "whitelisted_addresses_identity_id_address_key" ON "whitelisted_addresses"("identity_id", "address");

-- AddForeignKey
ALTER TABLE "address_claims" ADD CONSTRAINT "address_claims_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_codes" ADD CONSTRAINT "address_codes_owner_user_id_fkey" FOREIGN KEY ("owner_user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_proofs" ADD CONSTRAINT "domain_proofs_owner_user_id_fkey" FOREIGN KEY ("owner_user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "identities" ADD CONSTRAINT "identities_address_proof_check" CHECK (("address" IS NULL) = ("address_proof" IS NULL)) NOT VALID;
ALTER TABLE "whitelisted_addresses" ADD CONSTRAINT "whitelisted_addresses_proof_check"
  CHECK (("status" = 'proven') = ("proof" IS NOT NULL) AND ("status" = 'proven') = ("proven_at" IS NOT NULL));

-- One owner has a domain.
CREATE UNIQUE INDEX "domain_proofs_proven_key" ON "domain_proofs" ("domain") WHERE "proven_at" IS NOT NULL;

-- One identity has an address. These replace triggers that knew of identities and further addresses only.
DROP TRIGGER "identities_claim_address" ON "identities";
DROP TRIGGER "whitelisted_addresses_claim_address" ON "whitelisted_addresses";
DROP FUNCTION "claim_mail_address"();

-- The domain at which agents of an identity get mail.
CREATE FUNCTION "mail_domain"("own_address" text, "own_handle" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(split_part("own_address", '@', 2), ''), "own_handle" || '.localhost')
$$;

-- Whether the agents of an identity have addresses at its mail domain. That somebody reads one mailbox there, which is all that a code
-- proves, does not give them the others.
CREATE FUNCTION "agents_have_addresses"("of_identity" uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT i."address" IS NULL OR i."address_proof" <> 'code'
    OR EXISTS (
      SELECT 1 FROM "domain_proofs" d
      WHERE d."owner_user_id" = i."owner_user_id" AND d."domain" = split_part(i."address", '@', 2) AND d."proven_at" IS NOT NULL
    )
    OR EXISTS (
      SELECT 1 FROM "whitelisted_addresses" w WHERE w."identity_id" = i."id" AND w."proof" <> 'code'
        AND split_part(w."address", '@', 2) = split_part(i."address", '@', 2)
    )
  FROM "identities" i WHERE i."id" = "of_identity"
$$;

-- Whether a domain is proven by another owner than this identity's.
CREATE FUNCTION "is_domain_of_another"("of_identity" uuid, "at_domain" text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM "domain_proofs" d JOIN "identities" i ON i."id" = "of_identity"
    WHERE d."domain" = "at_domain" AND d."proven_at" IS NOT NULL AND d."owner_user_id" <> i."owner_user_id"
  )
$$;

-- Gives an address to an identity, or fails where another one has it.
CREATE FUNCTION "hold_address"("wanted" text, "by_identity" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "address_claims" AS c ("address", "identity_id") VALUES ("wanted", "by_identity")
    ON CONFLICT ("address") DO UPDATE SET "identity_id" = c."identity_id" WHERE c."identity_id" = "by_identity";
  IF NOT FOUND THEN
    RAISE EXCEPTION 'address % is taken', "wanted" USING ERRCODE = 'unique_violation', CONSTRAINT = 'address_claims_pkey',
      TABLE = 'address_claims', DETAIL = format('Key (address)=(%s) already exists.', "wanted");
  END IF;
END $$;

-- Gives a free address to the agent that waits for it; to the oldest identity's where there are several.
CREATE FUNCTION "offer_address"("offered" text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "address_claims" ("address", "identity_id")
    SELECT "offered", i."id" FROM "identities" i
      JOIN "agents" a ON a."identity_id" = i."id" AND a."role_id" = split_part("offered", '@', 1)
    WHERE (
        split_part(i."address", '@', 2) = split_part("offered", '@', 2)
        OR (i."address" IS NULL AND right("offered", 10) = '.localhost' AND i."handle" = left(split_part("offered", '@', 2), -10))
      )
      AND "agents_have_addresses"(i."id") AND NOT "is_domain_of_another"(i."id", split_part("offered", '@', 2))
    ORDER BY i."created_at", i."id" LIMIT 1
  ON CONFLICT ("address") DO NOTHING
$$;

-- Takes an address from an identity that uses it no more. The lock comes first, so that a use that begins at the same moment is seen.
CREATE FUNCTION "release_address"("unused" text, "by_identity" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "address_claims" WHERE "address" = "unused" AND "identity_id" = "by_identity" FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM "address_claims" WHERE "address" = "unused"
    AND NOT EXISTS (SELECT 1 FROM "identities" WHERE "id" = "by_identity" AND "address" = "unused")
    AND NOT EXISTS (SELECT 1 FROM "whitelisted_addresses" WHERE "identity_id" = "by_identity" AND "address" = "unused" AND "status" = 'proven')
    AND NOT EXISTS (
      SELECT 1 FROM "agents" a JOIN "identities" i ON i."id" = a."identity_id"
      WHERE a."identity_id" = "by_identity" AND a."role_id" = split_part("unused", '@', 1)
        AND "mail_domain"(i."address", i."handle") = split_part("unused", '@', 2) AND "agents_have_addresses"(i."id")
    );
  IF FOUND THEN PERFORM "offer_address"("unused"); END IF;
END $$;

-- Gives the agents of an identity their addresses where these are free, or takes them where they may have none.
CREATE FUNCTION "settle_agent_addresses"("of_identity" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF "agents_have_addresses"("of_identity") THEN
    INSERT INTO "address_claims" ("address", "identity_id")
      SELECT a."role_id" || '@' || "mail_domain"(i."address", i."handle"), i."id"
      FROM "identities" i JOIN "agents" a ON a."identity_id" = i."id"
      WHERE i."id" = "of_identity" AND NOT "is_domain_of_another"(i."id", "mail_domain"(i."address", i."handle")) ORDER BY 1
    ON CONFLICT ("address") DO NOTHING;
  ELSE
    PERFORM "release_address"(a."role_id" || '@' || "mail_domain"(i."address", i."handle"), i."id")
      FROM "identities" i JOIN "agents" a ON a."identity_id" = i."id" WHERE i."id" = "of_identity";
  END IF;
END $$;

CREATE FUNCTION "claim_identity_addresses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD."address" IS NOT NULL THEN
      DELETE FROM "address_claims" WHERE "address" = OLD."address" AND "identity_id" = OLD."id";
      PERFORM "offer_address"(OLD."address");
    END IF;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD."address" IS DISTINCT FROM NEW."address" AND OLD."address" IS NOT NULL THEN
      PERFORM "release_address"(OLD."address", NEW."id");
    END IF;
    IF "mail_domain"(OLD."address", OLD."handle") <> "mail_domain"(NEW."address", NEW."handle") THEN
      PERFORM "release_address"(a."role_id" || '@' || "mail_domain"(OLD."address", OLD."handle"), NEW."id")
        FROM "agents" a WHERE a."identity_id" = NEW."id";
    END IF;
  END IF;
  IF NEW."address" IS NOT NULL THEN PERFORM "hold_address"(NEW."address", NEW."id"); END IF;
  IF TG_OP = 'UPDATE' THEN PERFORM "settle_agent_addresses"(NEW."id"); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "claim_further_address"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."status" = 'proven' AND (TG_OP = 'DELETE' OR NEW."status" <> 'proven' OR NEW."address" <> OLD."address") THEN
    PERFORM "release_address"(OLD."address", OLD."identity_id");
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."status" = 'proven' THEN PERFORM "hold_address"(NEW."address", NEW."identity_id"); END IF;
  -- It may have been what said that the domain is the identity's, or be so now.
  PERFORM "settle_agent_addresses"(i."id") FROM "identities" i
    WHERE i."id" = CASE WHEN TG_OP = 'DELETE' THEN OLD."identity_id" ELSE NEW."identity_id" END AND i."address_proof" = 'code';
  RETURN NULL;
END $$;

CREATE FUNCTION "claim_agent_address"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM "release_address"(OLD."role_id" || '@' || "mail_domain"(i."address", i."handle"), i."id")
      FROM "identities" i WHERE i."id" = OLD."identity_id";
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "address_claims" ("address", "identity_id")
      SELECT NEW."role_id" || '@' || "mail_domain"(i."address", i."handle"), i."id" FROM "identities" i
      WHERE i."id" = NEW."identity_id" AND "agents_have_addresses"(i."id")
        AND NOT "is_domain_of_another"(i."id", "mail_domain"(i."address", i."handle"))
    ON CONFLICT ("address") DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "claim_addresses_of_domain"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "settle_agent_addresses"(i."id") FROM "identities" i
    WHERE i."owner_user_id" = coalesce(NEW."owner_user_id", OLD."owner_user_id")
      AND split_part(i."address", '@', 2) = coalesce(NEW."domain", OLD."domain");
  RETURN NULL;
END $$;

-- Addresses in use so far. A further address stays its identity's, unless it is also another one's own or an agent's, or at the mail domain
-- of an identity of another owner, and nobody but an owner in the dashboard is known to have said that it is theirs.
ALTER TABLE "identities" DISABLE TRIGGER "identities_audited";
ALTER TABLE "whitelisted_addresses" DISABLE TRIGGER "whitelisted_addresses_audited";
ALTER TABLE "users" DISABLE TRIGGER "users_audited";

UPDATE "identities" SET "address_proof" = 'earlier' WHERE "address" IS NOT NULL;
ALTER TABLE "identities" VALIDATE CONSTRAINT "identities_address_proof_check";

UPDATE "whitelisted_addresses" w SET "status" = 'contested'
FROM "identities" i
WHERE i."id" = w."identity_id" AND (
  EXISTS (SELECT 1 FROM "identities" o WHERE o."address" = w."address" AND o."id" <> i."id")
  OR NOT EXISTS (
    SELECT 1 FROM "audit_entries" e
    WHERE e."identity_id" = i."id" AND e."resource" = 'address' AND e."resource_id" = w."id"::text AND e."action" = 'created' AND e."author_kind" = 'system'
  ) AND (
    EXISTS (
      SELECT 1 FROM "agents" a JOIN "identities" o ON o."id" = a."identity_id"
      WHERE o."id" <> i."id" AND a."role_id" = split_part(w."address", '@', 1)
        AND "mail_domain"(o."address", o."handle") = split_part(w."address", '@', 2)
    )
    OR EXISTS (
      SELECT 1 FROM "identities" o WHERE o."owner_user_id" <> i."owner_user_id"
        AND "mail_domain"(o."address", o."handle") = split_part(w."address", '@', 2)
    ) AND NOT EXISTS (
      SELECT 1 FROM "identities" o WHERE o."owner_user_id" = i."owner_user_id"
        AND "mail_domain"(o."address", o."handle") = split_part(w."address", '@', 2)
    )
  )
);
UPDATE "whitelisted_addresses" SET "status" = 'proven', "proof" = 'earlier', "proven_at" = "created_at" WHERE "status" <> 'contested';

UPDATE "users" SET "is_installer" = true WHERE "id" IN (
  SELECT "user_id" FROM "audit_entries"
  WHERE "resource" = 'account' AND "action" = 'created' AND "author_kind" = 'system' AND "cause" = 'setup'
);

ALTER TABLE "identities" ENABLE TRIGGER "identities_audited";
ALTER TABLE "whitelisted_addresses" ENABLE TRIGGER "whitelisted_addresses_audited";
ALTER TABLE "users" ENABLE TRIGGER "users_audited";

INSERT INTO "address_claims" ("address", "identity_id") SELECT "address", "id" FROM "identities" WHERE "address" IS NOT NULL;
INSERT INTO "address_claims" ("address", "identity_id")
  SELECT "address", "identity_id" FROM "whitelisted_addresses" WHERE "status" = 'proven'
  ON CONFLICT ("address") DO NOTHING;
INSERT INTO "address_claims" ("address", "identity_id")
  SELECT DISTINCT ON (1) a."role_id" || '@' || "mail_domain"(i."address", i."handle"), i."id"
  FROM "agents" a JOIN "identities" i ON i."id" = a."identity_id" ORDER BY 1, i."created_at", i."id"
  ON CONFLICT ("address") DO NOTHING;

CREATE TRIGGER "identities_addresses_claimed" AFTER INSERT OR DELETE OR UPDATE OF "address", "address_proof", "handle", "owner_user_id"
  ON "identities" FOR EACH ROW EXECUTE FUNCTION "claim_identity_addresses"();
CREATE TRIGGER "whitelisted_addresses_claimed" AFTER INSERT OR DELETE OR UPDATE OF "address", "status", "proof"
  ON "whitelisted_addresses" FOR EACH ROW EXECUTE FUNCTION "claim_further_address"();
CREATE TRIGGER "agents_address_claimed" AFTER INSERT OR DELETE OR UPDATE OF "role_id"
  ON "agents" FOR EACH ROW EXECUTE FUNCTION "claim_agent_address"();
CREATE TRIGGER "domain_proofs_addresses_claimed" AFTER INSERT OR DELETE OR UPDATE OF "proven_at"
  ON "domain_proofs" FOR EACH ROW EXECUTE FUNCTION "claim_addresses_of_domain"();
