-- online
--
-- Revisions of records (docs/adr/0034): conditional requests compare them. Posts and events have theirs already.

-- step
ALTER TABLE "identities" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "customers" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "agents" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS "routes_revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "conversations" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "blog_sites" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step
ALTER TABLE "webhook_deliveries" ADD COLUMN IF NOT EXISTS "revision" INTEGER NOT NULL DEFAULT 1;

-- step: the audit log leaves revisions out
DO $$
DECLARE
  "definition" text;
BEGIN
  FOR "definition" IN
    SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgfoid = '"note_change"'::regproc
      AND tgrelid IN ('"identities"'::regclass, '"customers"'::regclass, '"agents"'::regclass, '"conversations"'::regclass,
        '"blog_sites"'::regclass, '"webhooks"'::regclass)
      AND position('{revision,' IN pg_get_triggerdef(oid)) = 0
  LOOP
    EXECUTE replace(replace("definition", 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), '''{id,', '''{revision,routes_revision,id,');
  END LOOP;
END $$;

-- step: raised by each change of what a GET answers; not by what only the product keeps
CREATE OR REPLACE FUNCTION "raise_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."revision" := OLD."revision" + 1;
  RETURN NEW;
END $$;

-- step
CREATE OR REPLACE FUNCTION "raise_routes_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."routes_revision" := OLD."routes_revision" + 1;
  RETURN NEW;
END $$;

-- step
CREATE OR REPLACE TRIGGER "identities_revision"
  BEFORE UPDATE OF "handle", "address", "scope", "display_name", "profile", "updated_at" ON "identities"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step: an identity's further addresses are a part of it
CREATE OR REPLACE FUNCTION "raise_identity_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "identities" SET "revision" = "revision" + 1 WHERE "id" = coalesce(NEW."identity_id", OLD."identity_id");
  RETURN NULL;
END $$;

-- step
CREATE OR REPLACE TRIGGER "whitelisted_addresses_revision" AFTER INSERT OR UPDATE OR DELETE ON "whitelisted_addresses"
  FOR EACH ROW EXECUTE FUNCTION "raise_identity_revision"();

-- step: also for changes of its contacts, which set updated_at
CREATE OR REPLACE TRIGGER "customers_revision"
  BEFORE UPDATE OF "company", "phone", "tags", "notes", "metadata", "updated_at" ON "customers"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step: also for changes of its routes, which set updated_at
CREATE OR REPLACE TRIGGER "agents_revision"
  BEFORE UPDATE OF "name", "kind", "role_id", "mail_domain", "status", "avatar_url", "tags", "persona", "setup", "updated_at" ON "agents"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "agents_routes_revision" BEFORE UPDATE OF "routes_updated_at" ON "agents"
  FOR EACH ROW EXECUTE FUNCTION "raise_routes_revision"();

-- step: also for new participants and agents, who come with a message
CREATE OR REPLACE TRIGGER "conversations_revision"
  BEFORE UPDATE OF "subject", "preview", "status", "is_read", "last_message_at", "counterpart_email", "counterpart_name", "message_count",
    "is_archived", "is_spam", "is_trashed", "trashed_at", "assignee_user_id", "assignee_agent_id", "metadata", "updated_at" ON "conversations"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "blog_sites_revision" BEFORE UPDATE OF "language" ON "blog_sites"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "webhooks_revision"
  BEFORE UPDATE OF "url", "events", "description", "status", "disabled_reason", "updated_at" ON "webhooks"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "webhook_deliveries_revision" BEFORE UPDATE OF "updated_at" ON "webhook_deliveries"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();
