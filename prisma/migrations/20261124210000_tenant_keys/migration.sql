-- online
--
-- Primary keys begin with the identity: a row lies beside the others of its business, large tables need an index less, and tables
-- can be distributed by identity. The exchange of a key takes a moment.

-- step: what the rows of two small tables lacked
ALTER TABLE "escalation_routes" ADD COLUMN IF NOT EXISTS "identity_id" UUID;
ALTER TABLE "blog_image_files" ADD COLUMN IF NOT EXISTS "identity_id" UUID;

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "attachments_tenant_key" ON "attachments" ("identity_id", "id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "calendar_invitees_tenant_key" ON "calendar_invitees" ("identity_id", "id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "quarantined_mails_tenant_key" ON "quarantined_mails" ("identity_id", "id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "whitelisted_addresses_tenant_key" ON "whitelisted_addresses" ("identity_id", "id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "conversation_agents_tenant_key" ON "conversation_agents" ("identity_id", "conversation_id", "agent_id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "conversation_participants_tenant_key" ON "conversation_participants" ("identity_id", "conversation_id", "email");

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "calendar_invitees_id_idx" ON "calendar_invitees" ("id");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "calendar_invitees_identity_id_event_id_email_key" ON "calendar_invitees" ("identity_id", "event_id", "email");

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "attachments_identity_id_message_id_position_key" ON "attachments" ("identity_id", "message_id", "position");

-- step
ALTER TABLE "attachments" DROP CONSTRAINT IF EXISTS "attachments_pkey", ADD CONSTRAINT "attachments_pkey" PRIMARY KEY USING INDEX "attachments_tenant_key";

-- step
ALTER TABLE "calendar_invitees" DROP CONSTRAINT IF EXISTS "calendar_invitees_pkey", ADD CONSTRAINT "calendar_invitees_pkey" PRIMARY KEY USING INDEX "calendar_invitees_tenant_key";

-- step
ALTER TABLE "quarantined_mails" DROP CONSTRAINT IF EXISTS "quarantined_mails_pkey", ADD CONSTRAINT "quarantined_mails_pkey" PRIMARY KEY USING INDEX "quarantined_mails_tenant_key";

-- step
ALTER TABLE "whitelisted_addresses" DROP CONSTRAINT IF EXISTS "whitelisted_addresses_pkey", ADD CONSTRAINT "whitelisted_addresses_pkey" PRIMARY KEY USING INDEX "whitelisted_addresses_tenant_key";

-- step
ALTER TABLE "conversation_agents" DROP CONSTRAINT IF EXISTS "conversation_agents_pkey", ADD CONSTRAINT "conversation_agents_pkey" PRIMARY KEY USING INDEX "conversation_agents_tenant_key";

-- step
DO $$ BEGIN
  IF to_regclass('"blog_posts_identity_id_id_key"') IS NOT NULL THEN
    ALTER TABLE "blog_posts" DROP CONSTRAINT "blog_posts_pkey", ADD CONSTRAINT "blog_posts_pkey" PRIMARY KEY USING INDEX "blog_posts_identity_id_id_key";
  END IF;
END $$;

-- step
DO $$ BEGIN
  IF to_regclass('"calendar_events_identity_id_id_key"') IS NOT NULL THEN
    ALTER TABLE "calendar_events" DROP CONSTRAINT "calendar_events_pkey", ADD CONSTRAINT "calendar_events_pkey" PRIMARY KEY USING INDEX "calendar_events_identity_id_id_key";
  END IF;
END $$;

-- step
DO $$ BEGIN
  IF to_regclass('"conversations_identity_id_id_key"') IS NOT NULL THEN
    ALTER TABLE "conversations" DROP CONSTRAINT "conversations_pkey", ADD CONSTRAINT "conversations_pkey" PRIMARY KEY USING INDEX "conversations_identity_id_id_key";
  END IF;
END $$;

-- step
DO $$ BEGIN
  IF to_regclass('"customers_identity_id_id_key"') IS NOT NULL THEN
    ALTER TABLE "customers" DROP CONSTRAINT "customers_pkey", ADD CONSTRAINT "customers_pkey" PRIMARY KEY USING INDEX "customers_identity_id_id_key";
  END IF;
END $$;

-- step
DO $$ BEGIN
  IF to_regclass('"messages_identity_id_id_key"') IS NOT NULL THEN
    ALTER TABLE "messages" DROP CONSTRAINT "messages_pkey", ADD CONSTRAINT "messages_pkey" PRIMARY KEY USING INDEX "messages_identity_id_id_key";
  END IF;
END $$;

-- step: the small tables, and what the version before relies on
UPDATE "escalation_routes" r SET "identity_id" = a."identity_id" FROM "agents" a WHERE a."id" = r."agent_id";
UPDATE "blog_image_files" f SET "identity_id" = i."identity_id" FROM "blog_images" i WHERE i."id" = f."image_id";
ALTER TABLE "conversation_participants" DROP CONSTRAINT "conversation_participants_pkey",
  ADD CONSTRAINT "conversation_participants_pkey" PRIMARY KEY USING INDEX "conversation_participants_tenant_key";
DROP INDEX "calendar_invitees_event_id_email_key", "calendar_invitees_identity_id_event_id_idx", "attachments_message_id_position_key",
  "quarantined_mails_identity_id_id_idx";

ALTER TABLE "escalation_routes" DROP CONSTRAINT "escalation_routes_agent_id_fkey";
ALTER TABLE "agents" DROP CONSTRAINT "agents_pkey", ADD CONSTRAINT "agents_pkey" PRIMARY KEY USING INDEX "agents_identity_id_id_key";
ALTER TABLE "escalation_routes" ALTER COLUMN "identity_id" SET NOT NULL, DROP CONSTRAINT "escalation_routes_pkey",
  ADD CONSTRAINT "escalation_routes_pkey" PRIMARY KEY ("identity_id", "agent_id", "level"),
  ADD CONSTRAINT "escalation_routes_identity_id_agent_id_fkey" FOREIGN KEY ("identity_id", "agent_id")
    REFERENCES "agents"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "blog_image_files" DROP CONSTRAINT "blog_image_files_image_id_fkey";
ALTER TABLE "blog_images" DROP CONSTRAINT "blog_images_pkey", ADD CONSTRAINT "blog_images_pkey" PRIMARY KEY ("identity_id", "id");
ALTER TABLE "blog_image_files" ALTER COLUMN "identity_id" SET NOT NULL, DROP CONSTRAINT "blog_image_files_pkey",
  ADD CONSTRAINT "blog_image_files_pkey" PRIMARY KEY ("identity_id", "image_id", "format", "width"),
  ADD CONSTRAINT "blog_image_files_identity_id_image_id_fkey" FOREIGN KEY ("identity_id", "image_id")
    REFERENCES "blog_images"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "blog_image_files_image_id_idx" ON "blog_image_files"("image_id");

CREATE OR REPLACE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "old_row" jsonb;
  "new_row" jsonb;
  "subject" jsonb;
  "identity_id" uuid;
  "user_id" uuid;
  "of_identity" uuid;
BEGIN
  IF TG_OP <> 'INSERT' THEN "old_row" := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN "new_row" := to_jsonb(NEW); END IF;
  "subject" := coalesce("new_row", "old_row");
  CASE TG_TABLE_NAME
    WHEN 'users' THEN "user_id" := "subject" ->> 'id';
    WHEN 'sessions' THEN "user_id" := "subject" ->> 'user_id';
    WHEN 'identities' THEN "identity_id" := "subject" ->> 'id';
    ELSE "identity_id" := "subject" ->> 'identity_id';
  END CASE;
  IF TG_TABLE_NAME = 'identities' AND "subject" ->> 'erased_at' IS NOT NULL THEN
    IF TG_OP <> 'UPDATE' OR "old_row" ->> 'erased_at' IS NOT NULL THEN RETURN NULL; END IF;
    "new_row" := NULL;
    "identity_id" := NULL;
    "user_id" := "subject" ->> 'owner_user_id';
  ELSIF "is_erasing"("identity_id") THEN
    RETURN NULL;
  END IF;
  "of_identity" := "identity_id";
  -- What goes because something else goes is part of that: invitees with their event, routes with their agent.
  IF TG_OP = 'DELETE' THEN
    IF TG_TABLE_NAME = 'calendar_invitees' AND NOT EXISTS (SELECT 1 FROM "calendar_events" e
      WHERE e."identity_id" = "of_identity" AND e."id" = ("subject" ->> 'event_id')::uuid) THEN RETURN NULL; END IF;
    IF TG_TABLE_NAME = 'escalation_routes' AND NOT EXISTS (SELECT 1 FROM "agents" a
      WHERE a."identity_id" = "of_identity" AND a."id" = ("subject" ->> 'agent_id')::uuid) THEN RETURN NULL; END IF;
  END IF;
  PERFORM "note_audit_entry"(
    TG_ARGV[0], TG_ARGV[1], TG_ARGV[2], TG_ARGV[3],
    ARRAY['id', 'identity_id', 'created_at', 'updated_at'] || string_to_array(TG_ARGV[4], ','), string_to_array(TG_ARGV[5], ','),
    "identity_id", "user_id", "old_row", "new_row"
  );
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_storage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "sign" constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'messages' THEN
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum(octet_length("text") + coalesce(octet_length("html"), 0) + 1024)
        FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
    ELSE
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum("size") FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
  END CASE;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "release_picture"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
    SELECT OLD."identity_id", pg_backend_pid() % 16, -coalesce(sum("size"), 0) FROM "blog_image_files" 
    WHERE "identity_id" = OLD."identity_id" AND "image_id" = OLD."id"
  ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
  RETURN OLD;
END $$;
