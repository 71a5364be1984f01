-- online
--
-- How to end the emails of a list, and that it was done.

-- step
ALTER TABLE "messages" ADD COLUMN IF NOT EXISTS "unsubscribe" JSONB, ADD COLUMN IF NOT EXISTS "unsubscribed_at" TIMESTAMPTZ(3);

-- step
CREATE OR REPLACE TRIGGER "messages_audited_update" AFTER UPDATE ON "messages" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" OR OLD."removed_attachments" IS DISTINCT FROM NEW."removed_attachments"
    OR OLD."unsubscribed_at" IS DISTINCT FROM NEW."unsubscribed_at")
  EXECUTE FUNCTION "note_change"('message', 'id', 'conversation_id', 'subject',
    '{id,identity_id,created_at,updated_at,text,html,preview,references,thread_keys,is_read,message_id_header,in_reply_to,conversation_id,reply_to,attachment_count,unsubscribe}',
    '{}');
