-- CreateTable
CREATE TABLE "job_workers" (
    "id" UUID NOT NULL,
    "beat" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "job_workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "destination" TEXT,
    "payload" JSONB NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "scheduled_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "holder_id" UUID,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "is_rescheduled" BOOLEAN NOT NULL DEFAULT false,
    "last_error" TEXT,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "jobs_kind_key_key" ON "jobs"("kind", "key");

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_holder_id_fkey" FOREIGN KEY ("holder_id") REFERENCES "job_workers"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Rows change often and live briefly.
ALTER TABLE "jobs" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
-- What is due next in a lane; and what runs, by lane and destination, and by process.
CREATE INDEX "jobs_due_idx" ON "jobs" ("lane", "due_at") WHERE "holder_id" IS NULL;
CREATE INDEX "jobs_held_idx" ON "jobs" ("lane", "destination") WHERE "holder_id" IS NOT NULL;
CREATE INDEX "jobs_holder_idx" ON "jobs" ("holder_id") WHERE "holder_id" IS NOT NULL;

-- Schedules a job in the open transaction. One of this kind with this key that waits gets these values, and one that runs will run again.
-- "at": when it is due; at once, if null. "or_sooner": a sooner time that it has already stays.
CREATE FUNCTION "schedule_job"(
  "of_kind" text, "in_lane" text, "with_key" text, "with_payload" jsonb, "at" timestamptz DEFAULT NULL, "to_destination" text DEFAULT NULL,
  "or_sooner" boolean DEFAULT false
) RETURNS void LANGUAGE sql AS $$
  WITH "scheduled" AS (
    INSERT INTO "jobs" AS j ("kind", "lane", "key", "payload", "due_at", "destination")
    VALUES ("of_kind", "in_lane", "with_key", "with_payload", coalesce("at", clock_timestamp()), "to_destination")
    ON CONFLICT ("kind", "key") DO UPDATE SET
      "lane" = excluded."lane", "payload" = excluded."payload", "destination" = excluded."destination",
      "due_at" = CASE WHEN "or_sooner" AND (j."holder_id" IS NULL OR j."is_rescheduled") THEN least(j."due_at", excluded."due_at")
        ELSE excluded."due_at" END,
      "scheduled_at" = clock_timestamp(), "attempts" = 0, "is_rescheduled" = j."holder_id" IS NOT NULL
    RETURNING "lane", "due_at"
  )
  SELECT pg_notify('frontdesk_jobs', "lane") FROM "scheduled" WHERE "due_at" < clock_timestamp() + interval '5 seconds'
$$;

-- As before, with jobs of the table above. "lane", "failing_lane": of deliveries to webhooks, and to those that fail.
DROP FUNCTION "emit_events"(uuid, json, text, text, text, text, boolean, text, integer, integer);
CREATE FUNCTION "emit_events"(
  "of_identity" uuid, "events" json, "by_type" text, "by_id" text, "by_name" text, "by_request" text, "once" boolean, "job" text, "lane" text,
  "failing_lane" text
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
      PERFORM "schedule_job"(
        "job", CASE WHEN "webhook"."is_failing" THEN "failing_lane" ELSE "lane" END, "delivery"::text,
        jsonb_build_object('identityId', "of_identity", 'deliveryId', "delivery"), "to_destination" := "webhook"."id"::text
      );
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION "unassign_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "schedule_job"('unassign-member', 'shared', OLD."identity_id" || ':' || OLD."user_id",
    jsonb_build_object('identityId', OLD."identity_id", 'userId', OLD."user_id"));
  RETURN NULL;
END $$;

-- The jobs of the queue before: of an upgraded database, or of a backup, which leaves them in a table of this name. Jobs without a key were
-- begun by a clock, and those whose key has no colon by each start.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    CREATE TABLE "restored_jobs" AS
      SELECT t."identifier", j."payload", q."queue_name", j."run_at", j."key", j."priority"
      FROM "graphile_worker"."_private_jobs" j JOIN "graphile_worker"."_private_tasks" t ON t."id" = j."task_id"
        LEFT JOIN "graphile_worker"."_private_job_queues" q ON q."id" = j."job_queue_id"
      WHERE j."attempts" < j."max_attempts";
    DROP SCHEMA "graphile_worker" CASCADE;
  END IF;
  IF to_regclass('restored_jobs') IS NOT NULL THEN
    INSERT INTO "jobs" ("kind", "key", "lane", "destination", "payload", "due_at")
    SELECT "identifier", substr("key", strpos("key", ':') + 1),
      CASE "identifier"
        WHEN 'send-mail' THEN CASE WHEN "priority" < 0 THEN 'account-mail' ELSE 'mail' END
        WHEN 'deliver-webhook' THEN CASE WHEN "priority" > 0 THEN 'failing' ELSE 'outbound' END
        WHEN 'deliver-notifications' THEN 'outbound'
        ELSE 'shared'
      END,
      CASE "identifier"
        WHEN 'deliver-webhook' THEN split_part("queue_name", ':', 2)
        WHEN 'render-message' THEN "queue_name"
        WHEN 'measure-remote-pictures' THEN "queue_name"
      END,
      "payload"::jsonb, "run_at"
    FROM "restored_jobs" WHERE "key" LIKE '%:%'
    ON CONFLICT DO NOTHING;
    DROP TABLE "restored_jobs";
  END IF;
END $$;
