-- online
--
-- Webhooks that answer slowly get slots of their own (docs/adr/0024), so that they do not take those of others.

-- step
ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "is_slow" BOOLEAN NOT NULL DEFAULT false;

-- step: the audit log leaves it out, like the rest of a webhook's health
DO $$
DECLARE
  "definition" text;
BEGIN
  FOR "definition" IN
    SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgfoid = '"note_change"'::regproc AND tgrelid = '"webhooks"'::regclass AND position('is_slow' IN pg_get_triggerdef(oid)) = 0
  LOOP
    EXECUTE replace(replace("definition", 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), '''{revision,', '''{is_slow,revision,');
  END LOOP;
END $$;

-- step: as before, with the lanes of deliveries in one array: the usual one, that of webhooks that fail, that of slow ones
CREATE OR REPLACE FUNCTION "emit_events"(
  "of_identity" uuid, "events" json, "by_type" text, "by_id" text, "by_name" text, "by_request" text, "once" boolean, "job" text, "lanes" text[]
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
      SELECT w."id", CASE WHEN w."failing_since" IS NOT NULL THEN 2 WHEN w."is_slow" THEN 3 ELSE 1 END AS "lane" FROM "webhooks" w
      WHERE w."identity_id" = "of_identity" AND w."status" = 'active' AND w."events" && "event"."patterns"
    LOOP
      INSERT INTO "webhook_deliveries" ("id", "identity_id", "webhook_id", "event_id", "event_type", "event_position", "event_seq", "next_attempt_at")
      VALUES (gen_random_uuid(), "of_identity", "webhook"."id", "event"."id", "event"."type", "logged"."position", "logged"."seq", now())
      RETURNING "id" INTO "delivery";
      PERFORM "schedule_job"(
        "job", "lanes"["webhook"."lane"], "delivery"::text,
        jsonb_build_object('identityId', "of_identity", 'deliveryId', "delivery"), "to_destination" := "webhook"."id"::text
      );
    END LOOP;
  END LOOP;
END $$;

-- step: for processes of the version before, which run while this one is started
CREATE OR REPLACE FUNCTION "emit_events"(
  "of_identity" uuid, "events" json, "by_type" text, "by_id" text, "by_name" text, "by_request" text, "once" boolean, "job" text, "lane" text,
  "failing_lane" text
) RETURNS void LANGUAGE sql AS $$
  SELECT "emit_events"("of_identity", "events", "by_type", "by_id", "by_name", "by_request", "once", "job", ARRAY["lane", "failing_lane", "lane"]);
$$;
