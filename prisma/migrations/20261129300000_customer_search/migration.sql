-- online
--
-- Customers are searched by everything that is stored of them: tags, phone and custom fields beside company and notes.

-- step
ALTER TABLE "customers" ADD COLUMN IF NOT EXISTS "search_text" TEXT NOT NULL DEFAULT '';

-- step: the audit log leaves it out, since it has the fields
CREATE OR REPLACE TRIGGER "customers_audited" AFTER INSERT ON "customers" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT
  EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '{id,identity_id,created_at,updated_at,search_text}', '{}');
CREATE OR REPLACE TRIGGER "customers_audited_update" AFTER UPDATE ON "customers" FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '{id,identity_id,created_at,updated_at,search_text}', '{}');
CREATE OR REPLACE TRIGGER "customers_audited_delete" AFTER DELETE ON "customers" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT
  EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '{id,identity_id,created_at,updated_at,search_text}', '{}');

-- step: in lower case, one value a line; the phone as digits behind a tab, so that a pattern can begin there; notes come last
CREATE OR REPLACE FUNCTION "set_customer_search_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_text" := lower(concat_ws(E'\n',
    NEW."company",
    (SELECT string_agg("display_name" || E'\n' || "email", E'\n' ORDER BY "link_order") FROM "external_contacts"
      WHERE "identity_id" = NEW."identity_id" AND "customer_id" = NEW."id"),
    nullif(array_to_string(NEW."tags", E'\n'), ''),
    (SELECT string_agg("value" #>> '{}', E'\n') FROM jsonb_path_query(NEW."metadata", 'strict $.**') AS "value"
      WHERE jsonb_typeof("value") IN ('string', 'number')),
    E'\t' || nullif(regexp_replace(NEW."phone", '[^0-9]', '', 'g'), ''),
    NEW."notes"));
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "customers_search_text" BEFORE INSERT OR UPDATE ON "customers"
  FOR EACH ROW EXECUTE FUNCTION "set_customer_search_text"();

-- A contact that is taken from a customer needs no trigger: the customer is changed or deleted then.
CREATE OR REPLACE FUNCTION "search_customer_by_contact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "customers" SET "search_text" = '' WHERE "identity_id" = NEW."identity_id" AND "id" = NEW."customer_id";
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "external_contacts_search_text" AFTER INSERT OR UPDATE OF "customer_id", "email", "display_name" ON "external_contacts"
  FOR EACH ROW WHEN (NEW."customer_id" IS NOT NULL) EXECUTE FUNCTION "search_customer_by_contact"();

-- step: contacts are written before their new customer, which has them in its text then
ALTER TABLE "external_contacts" ALTER CONSTRAINT "external_contacts_identity_id_customer_id_fkey" DEFERRABLE INITIALLY DEFERRED;

-- step: the customers that there are
DO $$
DECLARE
  "batch" constant integer := 5000;
  "last_identity" uuid := '00000000-0000-0000-0000-000000000000';
  "last_customer" uuid := '00000000-0000-0000-0000-000000000000';
  "found" bigint;
  "total" bigint := 0;
BEGIN
  IF to_regclass('"customers_search_idx"') IS NOT NULL THEN RETURN; END IF;
  LOOP
    WITH "page" AS (
      SELECT "identity_id", "id", "search_text" = '' AS "is_due" FROM "customers"
      WHERE ("identity_id", "id") > ("last_identity", "last_customer") ORDER BY "identity_id", "id" LIMIT "batch"
    ), "filled" AS (
      UPDATE "customers" c SET "search_text" = '' FROM "page" p
      WHERE p."is_due" AND c."identity_id" = p."identity_id" AND c."id" = p."id"
    )
    SELECT count(*), (array_agg("identity_id" ORDER BY "identity_id" DESC, "id" DESC))[1],
      (array_agg("id" ORDER BY "identity_id" DESC, "id" DESC))[1]
    INTO "found", "last_identity", "last_customer" FROM "page";
    COMMIT;
    "total" := "total" + "found";
    EXIT WHEN "found" < "batch";
    RAISE INFO '% customers can be searched by all their fields', "total";
  END LOOP;
END $$;

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_search_idx" ON "customers"
  USING gin ("identity_id", "search_text" gin_trgm_ops, "tags");

-- step
DROP INDEX "customers_filters_idx";
