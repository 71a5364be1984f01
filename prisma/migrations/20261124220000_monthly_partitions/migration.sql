-- online
--
-- The audit log and reported usage are partitioned by month, so that a month that is over is dropped instead of deleted row by row, and
-- indexes in use stay small. What there is becomes the first partition as it is; nothing is copied. What identifies an event of
-- usage has a table of its own, as a partitioned table can't keep it unique.

-- step
CREATE SCHEMA IF NOT EXISTS "partitions";

-- step: the log of accounts, which belongs to no business
CREATE TABLE IF NOT EXISTS "account_audit_entries" (
    "id" BIGINT NOT NULL DEFAULT nextval('audit_entries_id_seq'::regclass),
    "user_id" UUID,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "author_kind" TEXT NOT NULL,
    "author_id" UUID,
    "cause" TEXT,
    "agent_id" UUID,
    "request_id" TEXT,
    "client_request_id" TEXT,
    "resource" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "label" TEXT NOT NULL DEFAULT '',
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "account_audit_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "account_audit_entries_kinds_check"
      CHECK ("author_kind" IN ('owner', 'key', 'system', 'database') AND "action" IN ('created', 'updated', 'deleted'))
);
CREATE INDEX IF NOT EXISTS "account_audit_entries_user_id_id_idx" ON "account_audit_entries"("user_id", "id");
CREATE INDEX IF NOT EXISTS "account_audit_entries_occurred_at_idx" ON "account_audit_entries" USING brin ("occurred_at");

-- Notes one change; `old_row` is null for a new row, `new_row` for a deleted one.
CREATE OR REPLACE FUNCTION "note_audit_entry"(
  "resource" text, "key_column" text, "parent_column" text, "label_column" text, "left_out" text[], "secret" text[],
  "identity_id" uuid, "user_id" uuid, "old_row" jsonb, "new_row" jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "author" jsonb := nullif(current_setting('frontdesk.author', true), '')::jsonb;
  "subject" jsonb := coalesce("new_row", "old_row");
  "author_kind" text := coalesce("author" ->> 'kind', 'database');
  "before" jsonb;
  "after" jsonb;
  "subject_key" text := coalesce("subject" ->> "key_column", '');
  "parent" text := coalesce("new_row" ->> "parent_column", "old_row" ->> "parent_column");
  "name" text := coalesce(left("subject" ->> "label_column", 200), '');
  "done" text := CASE WHEN "old_row" IS NULL THEN 'created' WHEN "new_row" IS NULL THEN 'deleted' ELSE 'updated' END;
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
  IF "identity_id" IS NULL THEN
    INSERT INTO "account_audit_entries" (
      "user_id", "author_kind", "author_id", "cause", "request_id", "client_request_id", "resource", "resource_id", "parent_id", "label",
      "action", "before", "after"
    ) VALUES (
      "user_id", "author_kind", ("author" ->> 'id')::uuid, "author" ->> 'cause', "author" ->> 'requestId', "author" ->> 'clientRequestId',
      "resource", "subject_key", "parent", "name", "done", "before", "after"
    );
    RETURN;
  END IF;
  INSERT INTO "audit_entries" (
    "identity_id", "author_kind", "author_id", "cause", "agent_id", "request_id", "client_request_id", "resource", "resource_id",
    "parent_id", "label", "action", "before", "after"
  ) VALUES (
    "identity_id", "author_kind", ("author" ->> 'id')::uuid, "author" ->> 'cause',
    CASE WHEN "resource" = 'message' AND "subject" ->> 'direction' = 'outbound' THEN ("subject" ->> 'agent_id')::uuid END,
    "author" ->> 'requestId', "author" ->> 'clientRequestId', "resource", "subject_key", "parent", "name", "done", "before", "after"
  );
END $$;

-- step
WITH "moved" AS (DELETE FROM "audit_entries" WHERE "identity_id" IS NULL RETURNING *)
INSERT INTO "account_audit_entries" (
  "id", "user_id", "occurred_at", "author_kind", "author_id", "cause", "agent_id", "request_id", "client_request_id", "resource", "resource_id",
  "parent_id", "label", "action", "before", "after"
)
SELECT "id", "user_id", "occurred_at", "author_kind", "author_id", "cause", "agent_id", "request_id", "client_request_id", "resource",
  "resource_id", "parent_id", "label", "action", "before", "after" FROM "moved";

-- step: events of usage, the later ones by a trigger until the last step
CREATE TABLE IF NOT EXISTS "usage_events" (
    "identity_id" UUID NOT NULL,
    "event_id" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_events_pkey" PRIMARY KEY ("identity_id", "event_id")
);
CREATE INDEX IF NOT EXISTS "usage_events_created_at_idx" ON "usage_events" USING brin ("created_at");
CREATE OR REPLACE FUNCTION "note_usage_event"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO "usage_events" VALUES (NEW."identity_id", NEW."event_id", NEW."id", NEW."created_at") ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "usage_records_events" AFTER INSERT ON "usage_records" FOR EACH ROW
  WHEN (NEW."event_id" IS NOT NULL) EXECUTE FUNCTION "note_usage_event"();

-- step
DO $$
DECLARE
  "batch" constant integer := 20000;
  "last_identity" uuid := '00000000-0000-0000-0000-000000000000';
  "last_event" text := '';
  "found" bigint;
  "total" bigint := 0;
BEGIN
  IF obj_description('usage_events'::regclass) IS NOT NULL THEN RETURN; END IF;
  LOOP
    WITH "page" AS (
      SELECT "identity_id", "event_id", "id", "created_at" FROM "usage_records"
      WHERE "event_id" IS NOT NULL AND ("identity_id", "event_id") > ("last_identity", "last_event")
      ORDER BY "identity_id", "event_id" LIMIT "batch"
    ), "noted" AS (
      INSERT INTO "usage_events" SELECT * FROM "page" ON CONFLICT DO NOTHING
    )
    SELECT count(*), (array_agg("identity_id" ORDER BY "identity_id" DESC, "event_id" DESC))[1],
      (array_agg("event_id" ORDER BY "identity_id" DESC, "event_id" DESC))[1]
    INTO "found", "last_identity", "last_event" FROM "page";
    COMMIT;
    "total" := "total" + "found";
    EXIT WHEN "found" < "batch";
    RAISE INFO '% events of usage were noted', "total";
  END LOOP;
  COMMENT ON TABLE "usage_events" IS 'Has all events.';
END $$;

-- step: where the first partition ends, at least a month ahead; checked beside the running server
DO $$
DECLARE
  "parts" constant text[][] := ARRAY[['audit_entries', 'occurred_at'], ['usage_records', 'created_at']];
  "latest" timestamptz;
  "bound" timestamptz;
BEGIN
  SET LOCAL timezone = 'UTC';
  FOR i IN 1..2 LOOP
    CONTINUE WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE conname = "parts"[i][1] || '_bound');
    EXECUTE format('SELECT max(%I) FROM %I', "parts"[i][2], "parts"[i][1]) INTO "latest";
    "bound" := date_trunc('month', greatest(now(), "latest")) + interval '2 months';
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', "parts"[i][1], "parts"[i][1] || '_bound', "parts"[i][2], "bound");
  END LOOP;
END $$;

-- step
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_bound";

-- step
ALTER TABLE "usage_records" VALIDATE CONSTRAINT "usage_records_bound";

-- step
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'audit_entries_identity') THEN
    ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_identity" CHECK ("identity_id" IS NOT NULL) NOT VALID;
  END IF;
END $$;

-- step
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_identity";

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_tenant_key" ON "audit_entries" ("identity_id", "id", "occurred_at");

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_identity_id_resource_id_id_idx" ON "audit_entries" ("identity_id", "resource_id", "id");

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_parent_idx" ON "audit_entries" ("identity_id", "parent_id", "id") WHERE "parent_id" IS NOT NULL;

-- step
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "usage_records_tenant_key" ON "usage_records" ("identity_id", "id", "created_at");

-- step: the exchange
-- Whether a table has a partition for a time, and which are over, is read from their bounds: from, to; null for the one of the rest.
CREATE FUNCTION "partitions_of"("parent" regclass) RETURNS TABLE ("name" text, "ends_at" timestamptz) LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, substring(pg_get_expr(c.relpartbound, c.oid) FROM $r$TO \('([^']+)'\)$r$)::timestamptz
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = "parent"
$$;

-- Adds partitions, a month each in UTC, until this many months ahead. Rows that came before their partition move to it.
CREATE FUNCTION "add_partitions"("parent" regclass, "column" text, "ahead" integer DEFAULT 3) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  "table_name" constant text := (SELECT relname FROM pg_class WHERE oid = "parent");
  "starts_at" timestamptz := (SELECT max("ends_at") FROM "partitions_of"("parent"));
  "month" timestamptz;
  "partition" text;
BEGIN
  WHILE "starts_at" < date_trunc('month', now()) + make_interval(months => "ahead") LOOP
    "month" := "starts_at" + interval '1 month';
    "partition" := format('%I.%I', 'partitions', "table_name" || to_char("starts_at", '_YYYY_MM'));
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', "partition", "parent");
    EXECUTE format('WITH moved AS (DELETE FROM %I.%I WHERE %4$I >= %5$L AND %4$I < %6$L RETURNING *) INSERT INTO %3$s SELECT * FROM moved',
      'partitions', "table_name" || '_rest', "partition", "column", "starts_at", "month");
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', "parent", "partition", "starts_at", "month");
    "starts_at" := "month";
  END LOOP;
END $$;

-- Drops the partitions whose last month ended so many days ago. Returns how many.
CREATE FUNCTION "drop_partitions"("parent" regclass, "days" integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  "old" text;
  "dropped" integer := 0;
BEGIN
  FOR "old" IN SELECT "name" FROM "partitions_of"("parent") WHERE "ends_at" < now() - make_interval(days => "days") LOOP
    EXECUTE format('DROP TABLE %I.%I', 'partitions', "old");
    "dropped" := "dropped" + 1;
  END LOOP;
  RETURN "dropped";
END $$;

COMMENT ON TABLE "usage_events" IS NULL;
DROP TRIGGER "usage_records_events" ON "usage_records";
DROP FUNCTION "note_usage_event"();

-- What there is gets the keys and indexes of a partition.
ALTER SEQUENCE "audit_entries_id_seq" OWNED BY NONE;
DROP INDEX "audit_entries_resource_id_id_idx", "audit_entries_identity_id_id_idx", "usage_records_event_key";
ALTER TABLE "audit_entries" ALTER COLUMN "identity_id" SET NOT NULL, DROP CONSTRAINT "audit_entries_identity", DROP COLUMN "user_id",
  DROP CONSTRAINT "audit_entries_pkey", ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY USING INDEX "audit_entries_tenant_key";
ALTER TABLE "usage_records" DROP CONSTRAINT "usage_records_pkey",
  ADD CONSTRAINT "usage_records_pkey" PRIMARY KEY USING INDEX "usage_records_tenant_key";
ALTER TABLE "audit_entries" SET SCHEMA "partitions";
ALTER TABLE "partitions"."audit_entries" RENAME TO "audit_entries_first";
ALTER TABLE "usage_records" SET SCHEMA "partitions";
ALTER TABLE "partitions"."usage_records" RENAME TO "usage_records_first";

CREATE TABLE "audit_entries" (LIKE "partitions"."audit_entries_first" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("occurred_at");
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_bound", ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("identity_id", "id", "occurred_at");
CREATE INDEX "audit_entries_identity_id_resource_id_idx" ON "audit_entries"("identity_id", "resource", "id");
CREATE INDEX "audit_entries_identity_id_resource_id_id_idx" ON "audit_entries"("identity_id", "resource_id", "id");
CREATE INDEX "audit_entries_parent_idx" ON "audit_entries" ("identity_id", "parent_id", "id") WHERE "parent_id" IS NOT NULL;
CREATE INDEX "audit_entries_occurred_at_idx" ON "audit_entries" USING brin ("occurred_at");
ALTER SEQUENCE "audit_entries_id_seq" OWNED BY "audit_entries"."id";

CREATE TABLE "usage_records" (LIKE "partitions"."usage_records_first" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("created_at");
ALTER TABLE "usage_records" DROP CONSTRAINT "usage_records_bound", ADD CONSTRAINT "usage_records_pkey" PRIMARY KEY ("identity_id", "id", "created_at");
CREATE INDEX "usage_records_executions_by_time_idx" ON "usage_records" ("identity_id", "agent_id", "created_at", "id") WHERE "outcome" IS NOT NULL;
CREATE INDEX "usage_records_conversation_idx" ON "usage_records" ("identity_id", "conversation_id", "id")
  WHERE "conversation_id" IS NOT NULL AND "task_id" IS NOT NULL;
CREATE INDEX "usage_records_created_at_idx" ON "usage_records" USING brin ("created_at");

DO $$
DECLARE
  "table_name" text;
  "bound" text;
BEGIN
  FOREACH "table_name" IN ARRAY ARRAY['audit_entries', 'usage_records'] LOOP
    "bound" := (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') FROM pg_constraint WHERE conname = "table_name" || '_bound');
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION "partitions".%I FOR VALUES FROM (MINVALUE) TO (%L)', "table_name", "table_name" || '_first', "bound");
    EXECUTE format('ALTER TABLE "partitions".%I DROP CONSTRAINT %I', "table_name" || '_first', "table_name" || '_bound');
    EXECUTE format('CREATE TABLE "partitions".%I PARTITION OF %I DEFAULT', "table_name" || '_rest', "table_name");
  END LOOP;
END $$;
SELECT "add_partitions"('audit_entries', 'occurred_at'), "add_partitions"('usage_records', 'created_at');
