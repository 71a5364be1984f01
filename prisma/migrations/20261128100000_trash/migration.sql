-- online
--
-- Conversations can be deleted: they are in the trash for 30 days, then they are permanently deleted.

-- step
ALTER TABLE "conversations" ADD COLUMN IF NOT EXISTS "is_trashed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN IF NOT EXISTS "trashed_at" TIMESTAMPTZ(3),
DROP CONSTRAINT IF EXISTS "conversations_trashed_check",
ADD CONSTRAINT "conversations_trashed_check" CHECK ("is_trashed" = ("trashed_at" IS NOT NULL)) NOT VALID;

-- step
ALTER TABLE "conversations" VALIDATE CONSTRAINT "conversations_trashed_check";

-- step: the lists of everyday work leave out what is in the trash, however much that is
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_inbox_new_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE NOT "is_archived" AND NOT "is_spam" AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_unread_new_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE NOT "is_read" AND NOT "is_archived" AND NOT "is_spam" AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_archived_new_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "is_archived" AND NOT "is_spam" AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_spam_new_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "is_spam" AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_unassigned_new_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "assignee_user_id" IS NULL AND "assignee_agent_id" IS NULL AND NOT "is_archived" AND NOT "is_spam" AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_assignee_user_new_idx" ON "conversations"
  ("identity_id", "assignee_user_id", "is_spam", "is_archived", "last_message_at", "id") WHERE "assignee_user_id" IS NOT NULL AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_assignee_agent_new_idx" ON "conversations"
  ("identity_id", "assignee_agent_id", "is_spam", "is_archived", "last_message_at", "id") WHERE "assignee_agent_id" IS NOT NULL AND NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_status_idx" ON "conversations" ("identity_id", "status", "last_message_at", "id")
  WHERE NOT "is_trashed";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_trash_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "is_trashed";

-- step: what is due for removal
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_trashed_at_idx" ON "conversations" ("trashed_at") WHERE "is_trashed";

-- step
-- DropIndex
DROP INDEX "conversations_identity_id_status_last_message_at_id_idx";

-- CreateTable
CREATE TABLE "deleted_messages" (
    "identity_id" UUID NOT NULL,
    "message_id_header" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_messages_pkey" PRIMARY KEY ("identity_id","message_id_header")
);

-- CreateIndex
CREATE INDEX "deleted_messages_deleted_at_idx" ON "deleted_messages" USING BRIN ("deleted_at");

-- AlterTable
ALTER TABLE "conversation_counts" ADD COLUMN     "is_trashed" BOOLEAN NOT NULL DEFAULT false,
DROP CONSTRAINT "conversation_counts_pkey",
ADD CONSTRAINT "conversation_counts_pkey" PRIMARY KEY ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard");

-- What follows can't be said in the Prisma schema.

DROP INDEX "conversations_inbox_idx", "conversations_unread_idx", "conversations_archived_idx", "conversations_spam_idx", "conversations_unassigned_idx",
  "conversations_assignee_user_idx", "conversations_assignee_agent_idx";
ALTER INDEX "conversations_inbox_new_idx" RENAME TO "conversations_inbox_idx";
ALTER INDEX "conversations_unread_new_idx" RENAME TO "conversations_unread_idx";
ALTER INDEX "conversations_archived_new_idx" RENAME TO "conversations_archived_idx";
ALTER INDEX "conversations_spam_new_idx" RENAME TO "conversations_spam_idx";
ALTER INDEX "conversations_unassigned_new_idx" RENAME TO "conversations_unassigned_idx";
ALTER INDEX "conversations_assignee_user_new_idx" RENAME TO "conversations_assignee_user_idx";
ALTER INDEX "conversations_assignee_agent_new_idx" RENAME TO "conversations_assignee_agent_idx";

CREATE OR REPLACE FUNCTION "count_conversations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "conversation_counts" AS counts
        ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard", "conversations", "changes")
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", pg_backend_pid() % 16, count(*), 1
      FROM "added" GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "conversation_counts" AS counts
        ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard", "conversations", "changes")
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", pg_backend_pid() % 16, -count(*), 1
      FROM "removed" GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  ELSE
    INSERT INTO "conversation_counts" AS counts
        ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard", "conversations", "changes")
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", pg_backend_pid() % 16, sum("change"), 1
      FROM (
        SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", 1 AS "change" FROM "added"
        UNION ALL
        SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", -1 FROM "removed"
      ) "moved" GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "is_trashed", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  END IF;
  RETURN NULL;
END $$;

-- The audit log has what is moved to the trash and back.
CREATE OR REPLACE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."is_trashed",
      OLD."origin_address", OLD."counterpart_email", OLD."counterpart_name", OLD."metadata", OLD."assignee_user_id", OLD."assignee_agent_id")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."is_trashed", NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name", NEW."metadata", NEW."assignee_user_id",
      NEW."assignee_agent_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject',
    '{id,identity_id,created_at,updated_at,preview,last_message_at,message_count,trashed_at}', '{}');
