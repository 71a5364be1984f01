-- online
--
-- What each attempt to send a mail led to.

-- step
ALTER TABLE "outbox_mails" ADD COLUMN IF NOT EXISTS "delivery_log" JSONB NOT NULL DEFAULT '[]';

-- step: the audit log leaves attempts out
CREATE OR REPLACE TRIGGER "outbox_mails_audited" AFTER INSERT ON "outbox_mails" FOR EACH ROW
  WHEN (NEW."identity_id" IS NOT NULL AND NEW."message_id" IS NULL)
  EXECUTE FUNCTION "note_change"('mail', 'id', '', 'subject', '{id,identity_id,created_at,updated_at,mail,attempts,earlier_attempts,last_attempt_at,due_at,response,topic,expires_at,message_id_header,delivered,delivery_log}', '{}');
CREATE OR REPLACE TRIGGER "outbox_mails_audited_update" AFTER UPDATE ON "outbox_mails" FOR EACH ROW
  WHEN (NEW."identity_id" IS NOT NULL AND OLD."state" IS DISTINCT FROM NEW."state"
    AND (OLD."state" = 'failed' OR (NEW."message_id" IS NULL AND NEW."state" IN ('sent', 'failed'))))
  EXECUTE FUNCTION "note_change"('mail', 'id', '', 'subject', '{id,identity_id,created_at,updated_at,mail,attempts,earlier_attempts,last_attempt_at,due_at,response,topic,expires_at,message_id_header,delivered,delivery_log}', '{}');
CREATE OR REPLACE TRIGGER "outbox_mails_audited_delete" AFTER DELETE ON "outbox_mails" FOR EACH ROW
  WHEN (OLD."identity_id" IS NOT NULL AND OLD."message_id" IS NULL AND NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('mail', 'id', '', 'subject', '{id,identity_id,created_at,updated_at,mail,attempts,earlier_attempts,last_attempt_at,due_at,response,topic,expires_at,message_id_header,delivered,delivery_log}', '{}');
