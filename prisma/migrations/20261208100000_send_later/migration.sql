-- online
--
-- Emails wait until a time: those that are scheduled, and for some seconds those that can be taken back.

-- step
ALTER TABLE "outbox_mails" ADD COLUMN IF NOT EXISTS "send_at" TIMESTAMPTZ(3),
ADD COLUMN IF NOT EXISTS "cancel_if_reply" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN IF NOT EXISTS "draft" JSONB;

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_mails_send_at_idx" ON "outbox_mails" ("identity_id", "send_at", "message_id")
  WHERE "send_at" IS NOT NULL AND "state" = 'queued';

-- step
ALTER TABLE "users" ADD COLUMN "undo_seconds" SMALLINT NOT NULL DEFAULT 10,
ADD CONSTRAINT "users_undo_seconds_check" CHECK ("undo_seconds" BETWEEN 0 AND 30);
