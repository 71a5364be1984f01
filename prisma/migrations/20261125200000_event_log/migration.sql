-- The log of events, webhooks and their deliveries (docs/adr/0024).

-- CreateEnum
CREATE TYPE "webhook_status" AS ENUM ('active', 'paused', 'disabled');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

CREATE SEQUENCE "event_log_seq_seq" AS BIGINT;

-- Partitioned by month, as the audit log is: a month that is over is dropped instead of deleted row by row.
CREATE TABLE "event_log" (
    "identity_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT nextval('event_log_seq_seq'::regclass),
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "object_version" INTEGER NOT NULL,
    "data" JSON NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("identity_id","position","seq","created_at"),
    CONSTRAINT "event_log_actor_check" CHECK ("actor_type" IN ('user', 'api_key', 'agent', 'system', 'guest'))
) PARTITION BY RANGE ("created_at");
ALTER SEQUENCE "event_log_seq_seq" OWNED BY "event_log"."seq";
CREATE INDEX "event_log_created_at_idx" ON "event_log" USING brin ("created_at");

DO $$
BEGIN
  SET LOCAL timezone = 'UTC';
  EXECUTE format('CREATE TABLE "partitions"."event_log_first" PARTITION OF "event_log" FOR VALUES FROM (MINVALUE) TO (%L)', date_trunc('month', now()) + interval '1 month');
  CREATE TABLE "partitions"."event_log_rest" PARTITION OF "event_log" DEFAULT;
END $$;
SELECT "add_partitions"('event_log', 'created_at');

-- CreateTable
CREATE TABLE "object_versions" (
    "identity_id" UUID NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "object_versions_pkey" PRIMARY KEY ("identity_id","object_type","object_id")
);

CREATE INDEX "object_versions_deleted_idx" ON "object_versions" ("identity_id", "changed_at") WHERE "is_deleted";

-- CreateTable
CREATE TABLE "event_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "timeline" TEXT NOT NULL DEFAULT '',
    "offset" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_clock_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "event_clock_single_check" CHECK ("id" = 1)
);
INSERT INTO "event_clock" DEFAULT VALUES;

-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT NOT NULL DEFAULT '',
    "status" "webhook_status" NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "secret" TEXT NOT NULL,
    "old_secret" TEXT,
    "old_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("identity_id","id")
);

ALTER TABLE "webhooks" ALTER COLUMN "events" SET NOT NULL;

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "event_position" BIGINT,
    "event_seq" BIGINT,
    "test_event" JSON,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("identity_id","id"),
    CONSTRAINT "webhook_deliveries_event_check" CHECK (num_nonnulls("event_position", "event_seq") IN (0, 2) AND ("event_seq" IS NULL) <> ("test_event" IS NULL))
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "answer" TEXT NOT NULL DEFAULT '',
    "error" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("identity_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_deliveries_identity_id_webhook_id_created_at_id_idx" ON "webhook_deliveries"("identity_id", "webhook_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_identity_id_webhook_id_status_created_at_idx" ON "webhook_deliveries"("identity_id", "webhook_id", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_identity_id_webhook_id_event_id_key" ON "webhook_deliveries"("identity_id", "webhook_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_identity_id_delivery_id_started_at_idx" ON "webhook_attempts"("identity_id", "delivery_id", "started_at");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_identity_id_delivery_id_fkey" FOREIGN KEY ("identity_id", "delivery_id") REFERENCES "webhook_deliveries"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Adds events of one identity to the log, in their order, and their deliveries to its webhooks with their jobs. It works with the rights of
-- the owner, as policies on each of these tables cost more than writing to them, and so checks the identity itself.
--
-- The position of an event is at least the number of its transaction, so a reader who reads below the oldest open transaction never sees
-- one appear before what it has read (docs/adr/0024). It is also no lower than that of any transaction that has ended: each statement here
-- has a snapshot of its own, so the changes of an object, which wait for each other's row of its version, keep their order; those at one
-- position are in that of "seq". No higher either, or it could not be read before another transaction has ended.
-- Rows of versions are locked in any order: who changes the same objects has waited for the objects before.
--
-- "events": {id, type, object_type, object_id, is_new, is_deleted, data, patterns}[]. An object has a row of its version from its first
-- change on. "once": only for objects that have no event yet. "lanes": in how many queues the deliveries of a webhook are; those of one that
-- fails are in the first, with a priority of their own.
CREATE FUNCTION "emit_events"(
  "of_identity" uuid, "events" json, "by_type" text, "by_id" text, "by_name" text, "by_request" text, "once" boolean, "job" text, "lanes" integer,
  "failing_priority" integer
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "event" record;
  "logged" record;
  "webhook" record;
  "delivery" uuid;
  "number" integer;
  "earlier" constant bigint := (SELECT "offset" FROM "event_clock");
BEGIN
  IF "of_identity" <> "current_identity"() THEN RAISE EXCEPTION 'an event of another identity' USING ERRCODE = 'insufficient_privilege'; END IF;
  FOR "event" IN
    SELECT * FROM json_to_recordset("events") AS x(
      "id" uuid, "type" text, "object_type" text, "object_id" text, "is_new" boolean, "is_deleted" boolean, "data" json, "patterns" text[]
    )
  LOOP
    "number" := 1;
    IF "once" OR NOT "event"."is_new" THEN
      INSERT INTO "object_versions" AS v ("identity_id", "object_type", "object_id", "version", "is_deleted")
      VALUES ("of_identity", "event"."object_type", "event"."object_id", CASE WHEN "once" THEN 1 ELSE 2 END, "event"."is_deleted")
      ON CONFLICT ON CONSTRAINT "object_versions_pkey"
        DO UPDATE SET "version" = v."version" + 1, "changed_at" = now(), "is_deleted" = excluded."is_deleted" WHERE NOT "once"
      RETURNING "version" INTO "number";
      CONTINUE WHEN "number" IS NULL;
    END IF;
    INSERT INTO "event_log" (
      "identity_id", "position", "id", "type", "object_type", "object_id", "object_version", "data", "actor_type", "actor_id", "actor_name", "request_id"
    ) VALUES (
      "of_identity", "earlier" + greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1),
      "event"."id", "event"."type", "event"."object_type", "event"."object_id", "number", "event"."data", "by_type", "by_id", "by_name", "by_request"
    ) RETURNING "position", "seq" INTO "logged";
    FOR "webhook" IN
      SELECT w."id", w."failing_since" IS NOT NULL AS "is_failing" FROM "webhooks" w
      WHERE w."identity_id" = "of_identity" AND w."status" = 'active' AND w."events" && "event"."patterns"
    LOOP
      INSERT INTO "webhook_deliveries" ("id", "identity_id", "webhook_id", "event_id", "event_type", "event_position", "event_seq", "next_attempt_at")
      VALUES (gen_random_uuid(), "of_identity", "webhook"."id", "event"."id", "event"."type", "logged"."position", "logged"."seq", now())
      RETURNING "id" INTO "delivery";
      PERFORM "graphile_worker"."add_job"(
        "job", json_build_object('identityId', "of_identity", 'deliveryId', "delivery"), job_key := "job" || ':' || "delivery",
        queue_name := "job" || ':' || "webhook"."id" || ':' || CASE WHEN "webhook"."is_failing" THEN 0 ELSE "logged"."seq" % "lanes" END,
        priority := CASE WHEN "webhook"."is_failing" THEN "failing_priority" ELSE 0 END
      );
    END LOOP;
  END LOOP;
END $$;

-- The audit log of webhooks: their settings, not their health.
DO $$
DECLARE
  "arguments" constant text := $a$'webhook', 'id', '', 'url', '{id,identity_id,created_at,updated_at,failing_since,last_failure_at,warned_at}', '{secret,old_secret}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE TRIGGER "webhooks_audited" AFTER INSERT ON "webhooks" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "webhooks_audited_update" AFTER UPDATE ON "webhooks" FOR EACH ROW
      WHEN ((OLD."url", OLD."events", OLD."description", OLD."status", OLD."secret", OLD."old_secret_until")
        IS DISTINCT FROM (NEW."url", NEW."events", NEW."description", NEW."status", NEW."secret", NEW."old_secret_until"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "webhooks_audited_delete" AFTER DELETE ON "webhooks" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
