-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "client_request_id" TEXT;

-- CreateTable
CREATE TABLE "security_events" (
    "id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "cause" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "user_id" UUID,
    "identity_id" UUID,
    "account" TEXT,
    "address" TEXT NOT NULL,
    "subject" TEXT,
    "request_id" TEXT,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "security_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_days" (
    "identity_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "mails" INTEGER NOT NULL,
    "recipients" INTEGER NOT NULL,

    CONSTRAINT "mail_days_pkey" PRIMARY KEY ("identity_id","day")
);

-- CreateTable
CREATE TABLE "storage_usage" (
    "identity_id" UUID NOT NULL,
    "shard" SMALLINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "storage_usage_pkey" PRIMARY KEY ("identity_id","shard")
);

-- CreateIndex
CREATE INDEX "security_events_user_id_id_idx" ON "security_events"("user_id", "id");

-- CreateIndex
CREATE INDEX "security_events_identity_id_id_idx" ON "security_events"("identity_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "security_events_minute_cause_key" ON "security_events"("minute", "cause");

-- What follows can't be said in the Prisma schema.

ALTER TABLE "security_events" ADD CONSTRAINT "security_events_cause_check" CHECK (octet_length("cause") = 32 AND "count" > 0);
ALTER TABLE "mail_days" ADD CONSTRAINT "mail_days_counts_check" CHECK ("mails" >= 0 AND "recipients" >= 0);

-- Room that an identity's mail, attachments, quarantine and pictures take; see StorageUsage in the schema. A message counts what is
-- written in it and 1 kB for its headers. A shard alone means nothing, their sum does.
ALTER TABLE "storage_usage" SET (fillfactor = 50);

CREATE VIEW "stored_bytes" AS
  SELECT "identity_id", (octet_length("text") + coalesce(octet_length("html"), 0) + 1024)::bigint AS "bytes" FROM "messages"
  UNION ALL SELECT "identity_id", "size" FROM "attachments"
  UNION ALL SELECT "identity_id", "size" FROM "quarantined_mails"
  UNION ALL SELECT i."identity_id", f."size" FROM "blog_image_files" f JOIN "blog_images" i ON i."id" = f."image_id";

CREATE FUNCTION "count_storage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "sign" constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'messages' THEN
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum(octet_length("text") + coalesce(octet_length("html"), 0) + 1024)
        FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
    WHEN 'blog_image_files' THEN
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT i."identity_id", pg_backend_pid() % 16, sum(c."size")
        FROM "changed" c JOIN "blog_images" i ON i."id" = c."image_id" GROUP BY i."identity_id" ORDER BY i."identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
    ELSE
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum("size") FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER "messages_stored" AFTER INSERT ON "messages"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "messages_stored_delete" AFTER DELETE ON "messages"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "attachments_stored" AFTER INSERT ON "attachments"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "attachments_stored_delete" AFTER DELETE ON "attachments"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "quarantined_mails_stored" AFTER INSERT ON "quarantined_mails"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "quarantined_mails_stored_delete" AFTER DELETE ON "quarantined_mails"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "blog_image_files_stored" AFTER INSERT ON "blog_image_files"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();

-- Files of a picture go with it, and only with it; after it they could not tell whose they were.
CREATE FUNCTION "release_picture"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
    SELECT OLD."identity_id", pg_backend_pid() % 16, -coalesce(sum("size"), 0) FROM "blog_image_files" WHERE "image_id" = OLD."id"
  ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
  RETURN OLD;
END $$;
CREATE TRIGGER "blog_images_released" BEFORE DELETE ON "blog_images" FOR EACH ROW EXECUTE FUNCTION "release_picture"();

INSERT INTO "storage_usage" ("identity_id", "shard", "bytes")
  SELECT "identity_id", 0, sum("bytes") FROM "stored_bytes" GROUP BY "identity_id";

-- The audit log keeps the request ids that clients choose apart from ours, and no secret of a meeting.

-- A text without the passwords that links to meetings carry, and without those that invitations spell out.
CREATE FUNCTION "without_meeting_secrets"("value" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(regexp_replace(regexp_replace("value",
    '([?&#;](?:[a-z_-]*(?:pwd|passwd|password|passcode|passwort|secret|token|pin)|tk|p)=)[^&#;\s"<>]+', '\1•••', 'gi'),
    '(://)[^/?#@\s"<>]+@', '\1•••@', 'g'),
    '((?:password|passcode|passwort|kennwort|kenncode|pin)\s*:\s*)\S+', '\1•••', 'gi')
$$;

-- A column of an event as the log keeps it.
CREATE FUNCTION "audited_event_value"("key" text, "value" jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN "key" = 'virtual_meeting' AND jsonb_typeof("value") = 'object' THEN "value"
      || CASE WHEN coalesce("value" ->> 'url', '') = '' THEN '{}' ELSE jsonb_build_object('url', "without_meeting_secrets"("value" ->> 'url')) END
      || CASE WHEN coalesce("value" ->> 'password', '') = '' THEN '{}' ELSE '{"password": "•••"}'::jsonb END
    -- It was too long for the log, and cut.
    WHEN "key" = 'virtual_meeting' AND jsonb_typeof("value") = 'string' THEN to_jsonb('•••'::text)
    WHEN "key" IN ('location', 'description') AND jsonb_typeof("value") = 'string' THEN to_jsonb("without_meeting_secrets"("value" #>> '{}'))
    ELSE "value"
  END
$$;

-- A column as the log keeps it: without secrets, and cut where it is long.
CREATE FUNCTION "audited_column"("resource" text, "key" text, "value" jsonb, "secret" text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN "key" = ANY ("secret") THEN to_jsonb('•••'::text)
    WHEN "resource" = 'event' THEN "audited_value"("audited_event_value"("key", "value"))
    ELSE "audited_value"("value")
  END
$$;

-- A row as the log keeps it: without what is empty.
CREATE FUNCTION "audited_columns"("resource" text, "row" jsonb, "left_out" text[], "secret" text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, "audited_column"("resource", key, value, "secret")), '{}')
  FROM jsonb_each("row")
  WHERE key <> ALL ("left_out") AND value NOT IN ('null', '""', '[]', '{}')
$$;

CREATE OR REPLACE FUNCTION "note_audit_entry"(
  "resource" text, "key_column" text, "parent_column" text, "label_column" text, "left_out" text[], "secret" text[],
  "identity_id" uuid, "user_id" uuid, "old_row" jsonb, "new_row" jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "author" jsonb := nullif(current_setting('frontdesk.author', true), '')::jsonb;
  "subject" jsonb := coalesce("new_row", "old_row");
  "before" jsonb;
  "after" jsonb;
BEGIN
  IF "old_row" IS NULL THEN
    "after" := "audited_columns"("resource", "new_row", "left_out", "secret");
  ELSIF "new_row" IS NULL THEN
    "before" := "audited_columns"("resource", "old_row", "left_out", "secret");
  ELSE
    SELECT
      jsonb_object_agg(key, "audited_column"("resource", key, "old_row" -> key, "secret")),
      jsonb_object_agg(key, "audited_column"("resource", key, value, "secret"))
    INTO "before", "after"
    FROM jsonb_each("new_row")
    WHERE key <> ALL ("left_out") AND value IS DISTINCT FROM "old_row" -> key;
    IF "after" IS NULL THEN RETURN; END IF;
  END IF;
  INSERT INTO "audit_entries" (
    "identity_id", "user_id", "author_kind", "author_id", "cause", "agent_id", "request_id", "client_request_id",
    "resource", "resource_id", "parent_id", "label", "action", "before", "after"
  ) VALUES (
    "identity_id", "user_id", coalesce("author" ->> 'kind', 'database'), ("author" ->> 'id')::uuid, "author" ->> 'cause',
    CASE WHEN "resource" = 'message' AND "subject" ->> 'direction' = 'outbound' THEN ("subject" ->> 'agent_id')::uuid END,
    "author" ->> 'requestId', "author" ->> 'clientRequestId', "resource", coalesce("subject" ->> "key_column", ''),
    coalesce("new_row" ->> "parent_column", "old_row" ->> "parent_column"),
    coalesce(left("subject" ->> "label_column", 200), ''),
    CASE WHEN "old_row" IS NULL THEN 'created' WHEN "new_row" IS NULL THEN 'deleted' ELSE 'updated' END, "before", "after"
  );
END $$;

DROP FUNCTION "audited_row"(jsonb, text[], text[]);

-- What the log holds already.
CREATE FUNCTION pg_temp.masked("row" jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN "row" = '{}' THEN "row" ELSE (SELECT jsonb_object_agg(key, "audited_event_value"(key, value)) FROM jsonb_each("row")) END
$$;
UPDATE "audit_entries" SET "before" = pg_temp.masked("before"), "after" = pg_temp.masked("after")
  WHERE "resource" = 'event'
    AND (coalesce("before", '{}') ?| ARRAY['virtual_meeting', 'location', 'description']
      OR coalesce("after", '{}') ?| ARRAY['virtual_meeting', 'location', 'description']);
DROP FUNCTION pg_temp.masked(jsonb);
-- Ours are UUIDs; of a client's own one that is a UUID as well, nobody can tell.
UPDATE "audit_entries" SET "client_request_id" = "request_id", "request_id" = NULL
  WHERE "request_id" !~ '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
