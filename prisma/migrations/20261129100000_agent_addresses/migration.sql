-- Agents keep their addresses when the business makes another address its own (docs/adr/0014).

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "mail_domain" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "agent_addresses" (
    "identity_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_addresses_pkey" PRIMARY KEY ("identity_id","address")
);

-- CreateIndex
CREATE INDEX "agent_addresses_identity_id_agent_id_idx" ON "agent_addresses"("identity_id", "agent_id");

-- CreateIndex
CREATE INDEX "agent_addresses_address_idx" ON "agent_addresses"("address");

-- CreateIndex
CREATE INDEX "agents_mail_domain_role_id_idx" ON "agents"("mail_domain", "role_id");

-- AddForeignKey
ALTER TABLE "agent_addresses" ADD CONSTRAINT "agent_addresses_identity_id_agent_id_fkey" FOREIGN KEY ("identity_id", "agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Addresses stay as they are. Nobody changed an agent, so the audit log has nothing to say.
ALTER TABLE "agents" DISABLE TRIGGER "agents_audited_update";
UPDATE "agents" a SET "mail_domain" = "mail_domain"(i."address", i."handle") FROM "identities" i WHERE i."id" = a."identity_id";
ALTER TABLE "agents" ENABLE TRIGGER "agents_audited_update";
ALTER TABLE "agents" ADD CONSTRAINT "agents_mail_domain_check" CHECK ("mail_domain" <> '');

-- Only agents were looked up by the domain of their identity.
DROP INDEX "identities_mail_domain_idx";

-- A new agent gets its address at the domain of its identity's own one.
CREATE FUNCTION "set_agent_mail_domain"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "mail_domain"(i."address", i."handle") INTO NEW."mail_domain" FROM "identities" i WHERE i."id" = NEW."identity_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "agents_mail_domain" BEFORE INSERT ON "agents"
  FOR EACH ROW WHEN (NEW."mail_domain" = '') EXECUTE FUNCTION "set_agent_mail_domain"();

CREATE TRIGGER "agent_addresses_audited" AFTER INSERT ON "agent_addresses" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('address', 'address', 'agent_id', 'address', '{identity_id,agent_id,created_at}', '{}');
CREATE TRIGGER "agent_addresses_audited_delete" AFTER DELETE ON "agent_addresses" FOR EACH ROW WHEN (NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('address', 'address', 'agent_id', 'address', '{identity_id,agent_id,created_at}', '{}');

-- Whether agents of an identity have addresses at a domain, without what the further address "apart" says. That somebody reads one mailbox
-- there, which is all that a code proves, does not give them the others.
CREATE FUNCTION "agents_may_use"("of_identity" uuid, "at_domain" text, "apart" uuid DEFAULT NULL) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM "identities" i WHERE i."id" = "of_identity" AND i."erased_at" IS NULL AND (
      "at_domain" = i."handle" || '.localhost'
      OR i."address_proof" <> 'code' AND split_part(i."address", '@', 2) = "at_domain"
      OR EXISTS (
        SELECT 1 FROM "domain_proofs" d
        WHERE d."owner_user_id" = i."owner_user_id" AND d."domain" = "at_domain" AND d."proven_at" IS NOT NULL
      )
      OR EXISTS (
        SELECT 1 FROM "whitelisted_addresses" w
        WHERE w."identity_id" = i."id" AND w."proof" <> 'code' AND split_part(w."address", '@', 2) = "at_domain"
          AND w."id" IS DISTINCT FROM "apart"
      )
    )
  )
$$;

-- The addresses of an identity's agents: current and earlier ones.
CREATE FUNCTION "addresses_of_agents"("of_identity" uuid) RETURNS TABLE ("address" text, "domain" text) LANGUAGE sql STABLE AS $$
  SELECT a."role_id" || '@' || a."mail_domain", a."mail_domain" FROM "agents" a WHERE a."identity_id" = "of_identity"
  UNION
  SELECT e."address", split_part(e."address", '@', 2) FROM "agent_addresses" e WHERE e."identity_id" = "of_identity"
$$;

-- Gives a free address to the agent that waits for it; to the oldest identity's where there are several.
CREATE OR REPLACE FUNCTION "offer_address"("offered" text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "address_claims" ("address", "identity_id")
    SELECT "offered", i."id" FROM "identities" i
    WHERE i."id" IN (
        SELECT a."identity_id" FROM "agents" a
        WHERE a."mail_domain" = split_part("offered", '@', 2) AND a."role_id" = split_part("offered", '@', 1)
        UNION ALL SELECT e."identity_id" FROM "agent_addresses" e WHERE e."address" = "offered"
      )
      AND "agents_may_use"(i."id", split_part("offered", '@', 2)) AND NOT "is_domain_of_another"(i."id", split_part("offered", '@', 2))
    ORDER BY i."created_at", i."id" LIMIT 1
  ON CONFLICT ("address") DO NOTHING
$$;

-- Takes an address from an identity that uses it no more. The lock comes first, so that a use that begins at the same moment is seen.
CREATE OR REPLACE FUNCTION "release_address"("unused" text, "by_identity" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "address_claims" WHERE "address" = "unused" AND "identity_id" = "by_identity" FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM "address_claims" WHERE "address" = "unused"
    AND NOT EXISTS (SELECT 1 FROM "identities" WHERE "id" = "by_identity" AND "address" = "unused")
    AND NOT EXISTS (SELECT 1 FROM "whitelisted_addresses" WHERE "identity_id" = "by_identity" AND "address" = "unused" AND "status" = 'proven')
    AND NOT (
      "agents_may_use"("by_identity", split_part("unused", '@', 2)) AND (
        EXISTS (
          SELECT 1 FROM "agents" a WHERE a."identity_id" = "by_identity"
            AND a."role_id" = split_part("unused", '@', 1) AND a."mail_domain" = split_part("unused", '@', 2)
        )
        OR EXISTS (SELECT 1 FROM "agent_addresses" e WHERE e."identity_id" = "by_identity" AND e."address" = "unused")
      )
    );
  IF FOUND THEN PERFORM "offer_address"("unused"); END IF;
END $$;

-- Gives the agents of an identity their addresses where these are free, or takes them where they may have none.
CREATE OR REPLACE FUNCTION "settle_agent_addresses"("of_identity" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH used AS MATERIALIZED (SELECT DISTINCT "domain" FROM "addresses_of_agents"("of_identity"))
  INSERT INTO "address_claims" ("address", "identity_id")
    SELECT a."address", "of_identity" FROM "addresses_of_agents"("of_identity") a JOIN (
      SELECT "domain" FROM used WHERE "agents_may_use"("of_identity", "domain") AND NOT "is_domain_of_another"("of_identity", "domain")
    ) allowed USING ("domain") ORDER BY 1
  ON CONFLICT ("address") DO NOTHING;
  PERFORM "release_address"(a."address", "of_identity") FROM "addresses_of_agents"("of_identity") a JOIN (
    SELECT u."domain" FROM (SELECT DISTINCT "domain" FROM "addresses_of_agents"("of_identity")) u
    WHERE NOT "agents_may_use"("of_identity", u."domain")
  ) refused USING ("domain");
END $$;

-- These change addresses of other identities too, whose rows are hidden from the role of one identity. So they have the owner's rights.
CREATE OR REPLACE FUNCTION "claim_identity_addresses"() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
    -- Every identity has the domain of its handle.
    IF OLD."handle" <> NEW."handle" AND NEW."erased_at" IS NULL THEN
      UPDATE "agents" SET "mail_domain" = NEW."handle" || '.localhost'
        WHERE "identity_id" = NEW."id" AND "mail_domain" = OLD."handle" || '.localhost';
    END IF;
  END IF;
  IF NEW."address" IS NOT NULL THEN PERFORM "hold_address"(NEW."address", NEW."id"); END IF;
  IF TG_OP = 'UPDATE' THEN PERFORM "settle_agent_addresses"(NEW."id"); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "claim_further_address"() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "changed" constant "whitelisted_addresses" := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."status" = 'proven' AND (TG_OP = 'DELETE' OR NEW."status" <> 'proven' OR NEW."address" <> OLD."address") THEN
    PERFORM "release_address"(OLD."address", OLD."identity_id");
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."status" = 'proven' THEN PERFORM "hold_address"(NEW."address", NEW."identity_id"); END IF;
  -- It was all that said that the domain is the identity's, or is so now.
  IF NOT "agents_may_use"("changed"."identity_id", split_part("changed"."address", '@', 2), "changed"."id") THEN
    PERFORM "settle_agent_addresses"("changed"."identity_id");
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "claim_agent_address"() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM "release_address"(OLD."role_id" || '@' || OLD."mail_domain", OLD."identity_id"); END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "address_claims" ("address", "identity_id")
      SELECT NEW."role_id" || '@' || NEW."mail_domain", NEW."identity_id"
      WHERE "agents_may_use"(NEW."identity_id", NEW."mail_domain") AND NOT "is_domain_of_another"(NEW."identity_id", NEW."mail_domain")
    ON CONFLICT ("address") DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "claim_earlier_agent_address"() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM "release_address"(OLD."address", OLD."identity_id"); END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "address_claims" ("address", "identity_id")
      SELECT NEW."address", NEW."identity_id"
      WHERE "agents_may_use"(NEW."identity_id", split_part(NEW."address", '@', 2))
        AND NOT "is_domain_of_another"(NEW."identity_id", split_part(NEW."address", '@', 2))
    ON CONFLICT ("address") DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "claim_addresses_of_domain"() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM "settle_agent_addresses"(i."id") FROM "identities" i
    WHERE i."owner_user_id" = coalesce(NEW."owner_user_id", OLD."owner_user_id") AND EXISTS (
      SELECT 1 FROM "addresses_of_agents"(i."id") a WHERE a."domain" = coalesce(NEW."domain", OLD."domain")
    );
  RETURN NULL;
END $$;

DROP FUNCTION "agents_have_addresses"(uuid);

DROP TRIGGER "agents_address_claimed" ON "agents";
CREATE TRIGGER "agents_address_claimed" AFTER INSERT OR DELETE OR UPDATE OF "role_id", "mail_domain"
  ON "agents" FOR EACH ROW EXECUTE FUNCTION "claim_agent_address"();
CREATE TRIGGER "agent_addresses_claimed" AFTER INSERT OR DELETE OR UPDATE OF "address"
  ON "agent_addresses" FOR EACH ROW EXECUTE FUNCTION "claim_earlier_agent_address"();
