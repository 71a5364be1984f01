-- online
--
-- Deleted identities are marked at once and erased by a job, and what is past its retention is removed.

-- step: conversations of other channels than e-mail are rare; without an index, looking for them would read all of the identity's
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_channel_idx" ON "conversations" ("identity_id", "channel", "last_message_at", "id")
  WHERE "channel" <> 'email';

-- step: what is due for removal. BRIN, since rows lie in the order of their times; it costs next to nothing to keep
CREATE INDEX CONCURRENTLY IF NOT EXISTS "usage_records_created_at_idx" ON "usage_records" USING brin ("created_at");

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_mails_created_at_idx" ON "outbox_mails" USING brin ("created_at");

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "quarantined_mails_created_at_idx" ON "quarantined_mails" USING brin ("created_at");

-- step
-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "merged_conversations" ADD COLUMN     "merged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "tracked_tasks" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- What follows can't be said in the Prisma schema.

CREATE INDEX "identities_erased_idx" ON "identities" ("erased_at") WHERE "erased_at" IS NOT NULL;

-- True while rows go because their whole identity is erased, or for their age ('*'). Their removal is no entry of the audit log.
CREATE FUNCTION "is_erasing"("identity_id" uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('frontdesk.erased', true) IN ('*', "identity_id"::text), false)
$$;

-- An identity is deleted, for its owner and for the log, when it gets `erased_at`. Its log goes with its other rows.
CREATE OR REPLACE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "old_row" jsonb;
  "new_row" jsonb;
  "subject" jsonb;
  "identity_id" uuid;
  "user_id" uuid;
BEGIN
  IF TG_OP <> 'INSERT' THEN "old_row" := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN "new_row" := to_jsonb(NEW); END IF;
  "subject" := coalesce("new_row", "old_row");
  CASE TG_TABLE_NAME
    WHEN 'users' THEN "user_id" := "subject" ->> 'id';
    WHEN 'sessions' THEN "user_id" := "subject" ->> 'user_id';
    WHEN 'identities' THEN "identity_id" := "subject" ->> 'id';
    WHEN 'escalation_routes' THEN "identity_id" := (SELECT a."identity_id" FROM "agents" a WHERE a."id" = ("subject" ->> 'agent_id')::uuid);
    ELSE "identity_id" := "subject" ->> 'identity_id';
  END CASE;
  IF TG_TABLE_NAME = 'identities' AND "subject" ->> 'erased_at' IS NOT NULL THEN
    IF TG_OP <> 'UPDATE' OR "old_row" ->> 'erased_at' IS NOT NULL THEN RETURN NULL; END IF;
    "new_row" := NULL;
    "identity_id" := NULL;
    "user_id" := "subject" ->> 'owner_user_id';
  ELSIF "is_erasing"("identity_id") THEN
    RETURN NULL;
  END IF;
  -- What goes because something else goes is part of that: invitees with their event, routes with their agent.
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'calendar_invitees'
    AND NOT EXISTS (SELECT 1 FROM "calendar_events" e WHERE e."id" = ("subject" ->> 'event_id')::uuid) THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'escalation_routes' AND "identity_id" IS NULL THEN RETURN NULL; END IF;
  PERFORM "note_audit_entry"(
    TG_ARGV[0], TG_ARGV[1], TG_ARGV[2], TG_ARGV[3],
    ARRAY['id', 'identity_id', 'created_at', 'updated_at'] || string_to_array(TG_ARGV[4], ','), string_to_array(TG_ARGV[5], ','),
    "identity_id", "user_id", "old_row", "new_row"
  );
  RETURN NULL;
END $$;

-- Conditions of triggers are cheap; what they leave out costs nothing. Deletions first.
DROP TRIGGER "messages_audited" ON "messages";
CREATE TRIGGER "messages_audited" AFTER INSERT ON "messages" FOR EACH ROW EXECUTE FUNCTION "note_message_change"();
CREATE TRIGGER "messages_audited_delete" AFTER DELETE ON "messages" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_message_change"();
DROP TRIGGER "outbox_mails_audited_delete" ON "outbox_mails";
CREATE TRIGGER "outbox_mails_audited_delete" AFTER DELETE ON "outbox_mails" FOR EACH ROW
  WHEN (OLD."identity_id" IS NOT NULL AND OLD."message_id" IS NULL AND NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_mail_change"();
DROP TRIGGER "quarantined_mails_audited" ON "quarantined_mails";
CREATE TRIGGER "quarantined_mails_audited" AFTER INSERT OR UPDATE ON "quarantined_mails" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('quarantined_mail', 'id', '', 'sender', 'sha256', '');
CREATE TRIGGER "quarantined_mails_audited_delete" AFTER DELETE ON "quarantined_mails" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"('quarantined_mail', 'id', '', 'sender', 'sha256', '');
DROP TRIGGER "customers_audited" ON "customers";
CREATE TRIGGER "customers_audited" AFTER INSERT ON "customers" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '', '');
CREATE TRIGGER "customers_audited_update" AFTER UPDATE ON "customers" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '', '');
CREATE TRIGGER "customers_audited_delete" AFTER DELETE ON "customers" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '', '');
DROP TRIGGER "external_contacts_audited" ON "external_contacts";
CREATE TRIGGER "external_contacts_audited" AFTER INSERT ON "external_contacts" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('contact', 'guid', 'customer_id', 'email', 'guid,link_order', '');
CREATE TRIGGER "external_contacts_audited_update" AFTER UPDATE ON "external_contacts" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "note_change"('contact', 'guid', 'customer_id', 'email', 'guid,link_order', '');
CREATE TRIGGER "external_contacts_audited_delete" AFTER DELETE ON "external_contacts" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"('contact', 'guid', 'customer_id', 'email', 'guid,link_order', '');
DROP TRIGGER "conversations_audited" ON "conversations";
CREATE TRIGGER "conversations_audited" AFTER INSERT ON "conversations" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject', 'preview,last_message_at,message_count', '');
CREATE TRIGGER "conversations_audited_delete" AFTER DELETE ON "conversations" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject', 'preview,last_message_at,message_count', '');
-- Most updates are another message: counters and the preview, which the log leaves out.
CREATE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."origin_address",
      OLD."counterpart_email", OLD."counterpart_name", OLD."metadata")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name", NEW."metadata"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject', 'preview,last_message_at,message_count', '');

-- While a whole identity is erased, contacts go before their customers, a batch at a time.
DROP TRIGGER "external_contacts_primary_contact" ON "external_contacts";
CREATE CONSTRAINT TRIGGER "external_contacts_primary_contact" AFTER UPDATE OR DELETE ON "external_contacts"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."is_primary" AND NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "require_primary_contact"();
