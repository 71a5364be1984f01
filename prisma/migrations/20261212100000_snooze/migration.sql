-- online
--
-- Conversations can be snoozed: they are archived until a time, and are in the inbox again then, or after a reply.

-- step
ALTER TABLE "conversations" ADD COLUMN IF NOT EXISTS "snoozed_until" TIMESTAMPTZ(3), ADD COLUMN IF NOT EXISTS "snoozed_by" UUID;

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_snoozed_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "snoozed_until" IS NOT NULL AND NOT "is_spam" AND NOT "is_trashed";

-- step: whatever moves a conversation out of the archive ends it, servers of the version before as well
CREATE OR REPLACE FUNCTION "end_snooze"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."snoozed_until" := NULL;
  NEW."snoozed_by" := NULL;
  RETURN NEW;
END $$;

-- step
CREATE OR REPLACE TRIGGER "conversations_snooze_ended" BEFORE UPDATE ON "conversations" FOR EACH ROW
  WHEN (NEW."snoozed_until" IS NOT NULL AND NOT NEW."is_archived")
  EXECUTE FUNCTION "end_snooze"();

-- step
CREATE OR REPLACE TRIGGER "conversations_revision"
  BEFORE UPDATE OF "subject", "preview", "status", "is_read", "last_message_at", "counterpart_email", "counterpart_name", "message_count",
    "is_archived", "is_spam", "is_trashed", "trashed_at", "snoozed_until", "assignee_user_id", "assignee_agent_id", "metadata", "updated_at"
    ON "conversations"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."is_trashed",
      OLD."snoozed_until", OLD."origin_address", OLD."counterpart_email", OLD."counterpart_name", OLD."metadata", OLD."assignee_user_id",
      OLD."assignee_agent_id")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."is_trashed", NEW."snoozed_until", NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name", NEW."metadata",
      NEW."assignee_user_id", NEW."assignee_agent_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject',
    '{revision,routes_revision,id,identity_id,created_at,updated_at,preview,last_message_at,message_count,trashed_at,snoozed_by}', '{}');

-- step
ALTER TYPE "notification_kind" ADD VALUE IF NOT EXISTS 'snooze_ended';
