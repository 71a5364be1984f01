-- online
--
-- Since when the other side of a conversation waits for an answer.

-- step
ALTER TABLE "conversations" ADD COLUMN IF NOT EXISTS "waiting_since" TIMESTAMPTZ(3);

-- step: the audit log leaves it out, since it has the messages
CREATE OR REPLACE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."is_trashed",
      OLD."snoozed_until", OLD."label_ids", OLD."origin_address", OLD."counterpart_email", OLD."counterpart_name", OLD."metadata",
      OLD."assignee_user_id", OLD."assignee_agent_id")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."is_trashed", NEW."snoozed_until", NEW."label_ids", NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name",
      NEW."metadata", NEW."assignee_user_id", NEW."assignee_agent_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject',
    '{revision,routes_revision,id,identity_id,created_at,updated_at,preview,last_message_at,message_count,trashed_at,snoozed_by,waiting_since}',
    '{}');

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_waiting_idx" ON "conversations" ("identity_id", "waiting_since", "id")
  WHERE "waiting_since" IS NOT NULL AND "status" NOT IN ('waiting_customer', 'completed')
    AND (NOT "is_archived" OR "snoozed_until" IS NOT NULL) AND NOT "is_spam" AND NOT "is_trashed";

-- step: the conversations that there are
DO $$
DECLARE
  "batch" constant integer := 2000;
  "last_identity" uuid := '00000000-0000-0000-0000-000000000000';
  "last_conversation" uuid := '00000000-0000-0000-0000-000000000000';
  "found" bigint;
  "total" bigint := 0;
BEGIN
  LOOP
    WITH "page" AS (
      SELECT "identity_id", "id", "waiting_since" IS NULL AND "status" NOT IN ('waiting_customer', 'completed')
          AND (NOT "is_archived" OR "snoozed_until" IS NOT NULL) AND NOT "is_spam" AND NOT "is_trashed" AS "is_due"
      FROM "conversations"
      WHERE ("identity_id", "id") > ("last_identity", "last_conversation") ORDER BY "identity_id", "id" LIMIT "batch"
    ), "filled" AS (
      UPDATE "conversations" c SET "waiting_since" = (
          SELECT min(m."created_at") FROM "messages" m
          WHERE m."identity_id" = c."identity_id" AND m."conversation_id" = c."id" AND m."direction" = 'inbound' AND NOT m."is_auto_reply"
            AND m."created_at" > coalesce((
              SELECT max(answer."created_at") FROM "messages" answer
              WHERE answer."identity_id" = c."identity_id" AND answer."conversation_id" = c."id" AND answer."direction" = 'outbound'
                AND answer."status" <> 'failed'), '-infinity'))
      FROM "page" p WHERE p."is_due" AND c."identity_id" = p."identity_id" AND c."id" = p."id"
    )
    SELECT count(*), (array_agg("identity_id" ORDER BY "identity_id" DESC, "id" DESC))[1],
      (array_agg("id" ORDER BY "identity_id" DESC, "id" DESC))[1]
    INTO "found", "last_identity", "last_conversation" FROM "page";
    COMMIT;
    "total" := "total" + "found";
    EXIT WHEN "found" < "batch";
    RAISE INFO '% conversations know since when they wait', "total";
  END LOOP;
END $$;

-- step: last, so that the step before changes no revision
CREATE OR REPLACE TRIGGER "conversations_revision"
  BEFORE UPDATE OF "subject", "preview", "status", "is_read", "last_message_at", "counterpart_email", "counterpart_name", "message_count",
    "is_archived", "is_spam", "is_trashed", "trashed_at", "snoozed_until", "waiting_since", "label_ids", "assignee_user_id",
    "assignee_agent_id", "metadata", "updated_at" ON "conversations"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();
