-- Single attachments can be deleted; the message keeps their name and size.

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "removed_attachments" JSONB NOT NULL DEFAULT '[]';

-- The audit log has which attachments were deleted.
CREATE OR REPLACE TRIGGER "messages_audited_update" AFTER UPDATE ON "messages" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" OR OLD."removed_attachments" IS DISTINCT FROM NEW."removed_attachments")
  EXECUTE FUNCTION "note_change"('message', 'id', 'conversation_id', 'subject',
    '{id,identity_id,created_at,updated_at,text,html,preview,references,thread_keys,is_read,message_id_header,in_reply_to,conversation_id,reply_to,attachment_count}', '{}');
