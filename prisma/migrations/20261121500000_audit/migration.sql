-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "identity_id" UUID,
    "user_id" UUID,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "author_kind" TEXT NOT NULL,
    "author_id" UUID,
    "cause" TEXT,
    "agent_id" UUID,
    "request_id" TEXT,
    "resource" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "label" TEXT NOT NULL DEFAULT '',
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_requests" (
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "request_id" TEXT NOT NULL,
    "is_applied" BOOLEAN NOT NULL DEFAULT false,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sessions_user_id_last_seen_at_idx" ON "sessions"("user_id", "last_seen_at" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_identity_id_id_idx" ON "audit_entries"("identity_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_identity_id_resource_id_idx" ON "audit_entries"("identity_id", "resource", "id");

-- CreateIndex
CREATE INDEX "audit_entries_resource_id_id_idx" ON "audit_entries"("resource_id", "id");

-- CreateIndex
CREATE INDEX "idempotent_requests_created_at_idx" ON "idempotent_requests"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "idempotent_requests_api_key_id_key_key" ON "idempotent_requests"("api_key_id", "key");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Changes of an account; the other entries have no user.
CREATE INDEX "audit_entries_user_id_id_idx" ON "audit_entries" ("user_id", "id") WHERE "user_id" IS NOT NULL;
-- Old entries go by their time, which rises with where they lie.
CREATE INDEX "audit_entries_occurred_at_idx" ON "audit_entries" USING brin ("occurred_at");
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_kinds_check"
  CHECK ("author_kind" IN ('owner', 'key', 'system', 'database') AND "action" IN ('created', 'updated', 'deleted'));
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_answer_check" CHECK (("status" IS NULL) = ("body" IS NULL));

-- Conversations by a part of the other side's name or address.
CREATE INDEX "conversations_counterpart_idx" ON "conversations"
  USING gin ("identity_id", lower(coalesce("counterpart_name", '') || ' ' || "counterpart_email") gin_trgm_ops);

-- The audit log (docs/adr/0011). Who acts is said once at the beginning of a transaction, in `frontdesk.author`; the triggers do the
-- rest, so that no change of these tables can go without its entry, and no entry can outlive a change that is undone.

-- A value as the log keeps it: what is long is cut.
CREATE FUNCTION "audited_value"("value" jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN jsonb_typeof("value") = 'string' AND length("value" #>> '{}') > 1000 THEN to_jsonb(left("value" #>> '{}', 1000) || '…')
    WHEN jsonb_typeof("value") IN ('object', 'array') AND length("value"::text) > 4000 THEN to_jsonb(left("value"::text, 1000) || '…')
    ELSE "value"
  END
$$;

-- A row as the log keeps it: without what is empty.
CREATE FUNCTION "audited_row"("row" jsonb, "left_out" text[], "secret" text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE WHEN key = ANY ("secret") THEN to_jsonb('•••'::text) ELSE "audited_value"(value) END), '{}')
  FROM jsonb_each("row")
  WHERE key <> ALL ("left_out") AND value NOT IN ('null', '""', '[]', '{}')
$$;

-- Notes one change; `old_row` is null for a new row, `new_row` for a deleted one.
CREATE FUNCTION "note_audit_entry"(
  "resource" text, "key_column" text, "parent_column" text, "label_column" text, "left_out" text[], "secret" text[],
  "identity_id" uuid, "user_id" uuid, "old_row" jsonb, "new_row" jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "author" jsonb := nullif(current_setting('frontdesk.author', true), '')::jsonb;
  "subject" jsonb := coalesce("new_row", "old_row");
  "before" jsonb;
  "after" jsonb;
BEGIN
  IF "old_row" IS NULL THEN
    "after" := "audited_row"("new_row", "left_out", "secret");
  ELSIF "new_row" IS NULL THEN
    "before" := "audited_row"("old_row", "left_out", "secret");
  ELSE
    SELECT
      jsonb_object_agg(key, CASE WHEN key = ANY ("secret") THEN to_jsonb('•••'::text) ELSE "audited_value"("old_row" -> key) END),
      jsonb_object_agg(key, CASE WHEN key = ANY ("secret") THEN to_jsonb('•••'::text) ELSE "audited_value"(value) END)
    INTO "before", "after"
    FROM jsonb_each("new_row")
    WHERE key <> ALL ("left_out") AND value IS DISTINCT FROM "old_row" -> key;
    IF "after" IS NULL THEN RETURN; END IF;
  END IF;
  INSERT INTO "audit_entries" (
    "identity_id", "user_id", "author_kind", "author_id", "cause", "agent_id", "request_id",
    "resource", "resource_id", "parent_id", "label", "action", "before", "after"
  ) VALUES (
    "identity_id", "user_id", coalesce("author" ->> 'kind', 'database'), ("author" ->> 'id')::uuid, "author" ->> 'cause',
    CASE WHEN "resource" = 'message' AND "subject" ->> 'direction' = 'outbound' THEN ("subject" ->> 'agent_id')::uuid END,
    "author" ->> 'requestId', "resource", coalesce("subject" ->> "key_column", ''),
    coalesce("new_row" ->> "parent_column", "old_row" ->> "parent_column"),
    coalesce(left("subject" ->> "label_column", 200), ''),
    CASE WHEN "old_row" IS NULL THEN 'created' WHEN "new_row" IS NULL THEN 'deleted' ELSE 'updated' END, "before", "after"
  );
END $$;

-- Arguments: resource, columns of its id, of what it is a part of, of its name; columns that are left out, and that are masked.
CREATE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
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
  -- An identity that is deleted takes its log along; that it was deleted is in its owner's.
  IF TG_TABLE_NAME = 'identities' AND TG_OP = 'DELETE' THEN
    DELETE FROM "audit_entries" e WHERE e."identity_id" = ("subject" ->> 'id')::uuid;
    "identity_id" := NULL;
    "user_id" := "subject" ->> 'owner_user_id';
  ELSIF "identity_id"::text = current_setting('frontdesk.erased', true) THEN
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

-- Messages are large and do not change in what they say: the log has their envelope.
CREATE FUNCTION "note_message_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "left_out" constant text[] := ARRAY['id', 'identity_id', 'created_at', 'text', 'html', 'preview', 'references', 'thread_keys', 'is_read',
    'message_id_header', 'in_reply_to', 'conversation_id', 'reply_to'];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF OLD."identity_id"::text = current_setting('frontdesk.erased', true) THEN RETURN NULL; END IF;
    OLD."text" := ''; OLD."html" := NULL; OLD."preview" := '';
  END IF;
  IF TG_OP <> 'DELETE' THEN NEW."text" := ''; NEW."html" := NULL; NEW."preview" := ''; END IF;
  PERFORM "note_audit_entry"(
    'message', 'id', 'conversation_id', 'subject', "left_out", '{}',
    CASE WHEN TG_OP = 'DELETE' THEN OLD."identity_id" ELSE NEW."identity_id" END, NULL,
    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END
  );
  RETURN NULL;
END $$;

-- Mail that is no message of a conversation: invitations, reminders. That one is being tried is nothing to note.
CREATE FUNCTION "note_mail_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "left_out" constant text[] := ARRAY['id', 'identity_id', 'created_at', 'mail', 'attempts', 'last_attempt_at', 'due_at', 'response', 'topic',
    'expires_at', 'message_id_header', 'delivered'];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF OLD."identity_id"::text = current_setting('frontdesk.erased', true) THEN RETURN NULL; END IF;
    OLD."mail" := '{}';
  END IF;
  IF TG_OP <> 'DELETE' THEN NEW."mail" := '{}'; END IF;
  PERFORM "note_audit_entry"(
    'mail', 'id', '', 'subject', "left_out", '{}',
    CASE WHEN TG_OP = 'DELETE' THEN OLD."identity_id" ELSE NEW."identity_id" END, NULL,
    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END
  );
  RETURN NULL;
END $$;

CREATE TRIGGER "messages_audited" AFTER INSERT OR DELETE ON "messages" FOR EACH ROW EXECUTE FUNCTION "note_message_change"();
CREATE TRIGGER "messages_audited_update" AFTER UPDATE ON "messages" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION "note_message_change"();
CREATE TRIGGER "outbox_mails_audited" AFTER INSERT ON "outbox_mails" FOR EACH ROW
  WHEN (NEW."message_id" IS NULL) EXECUTE FUNCTION "note_mail_change"();
CREATE TRIGGER "outbox_mails_audited_delete" AFTER DELETE ON "outbox_mails" FOR EACH ROW
  WHEN (OLD."message_id" IS NULL) EXECUTE FUNCTION "note_mail_change"();
-- Begun anew by the owner, or come to its end.
CREATE TRIGGER "outbox_mails_audited_update" AFTER UPDATE ON "outbox_mails" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state" AND (OLD."state" = 'failed' OR (NEW."message_id" IS NULL AND NEW."state" IN ('sent', 'failed'))))
  EXECUTE FUNCTION "note_mail_change"();

CREATE TRIGGER "users_audited" AFTER INSERT OR UPDATE OR DELETE ON "users" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('account', 'id', '', 'email', 'session_epoch', 'password_hash');
CREATE TRIGGER "sessions_audited" AFTER INSERT OR UPDATE OR DELETE ON "sessions" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('session', 'id', 'user_id', 'user_agent', 'last_seen_at', '');
CREATE TRIGGER "identities_audited" AFTER INSERT OR UPDATE OR DELETE ON "identities" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('identity', 'id', '', 'handle', '', '');
CREATE TRIGGER "whitelisted_addresses_audited" AFTER INSERT OR UPDATE OR DELETE ON "whitelisted_addresses" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('address', 'id', '', 'address', '', '');
CREATE TRIGGER "api_keys_audited" AFTER INSERT OR UPDATE OR DELETE ON "api_keys" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('api_key', 'id', '', 'name', 'last_used_at', 'hash');
CREATE TRIGGER "customers_audited" AFTER INSERT OR UPDATE OR DELETE ON "customers" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('customer', 'id', '', 'company', '', '');
CREATE TRIGGER "external_contacts_audited" AFTER INSERT OR UPDATE OR DELETE ON "external_contacts" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('contact', 'guid', 'customer_id', 'email', 'guid,link_order', '');
CREATE TRIGGER "agents_audited" AFTER INSERT OR UPDATE OR DELETE ON "agents" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('agent', 'id', '', 'name', 'name_key,search_key,routes_updated_at', '');
CREATE TRIGGER "escalation_routes_audited" AFTER INSERT OR UPDATE OR DELETE ON "escalation_routes" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('escalation_route', 'level', 'agent_id', 'label', 'agent_id', '');
CREATE TRIGGER "conversations_audited" AFTER INSERT OR UPDATE OR DELETE ON "conversations" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject', 'preview,last_message_at,message_count', '');
CREATE TRIGGER "quarantined_mails_audited" AFTER INSERT OR UPDATE OR DELETE ON "quarantined_mails" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('quarantined_mail', 'id', '', 'sender', 'sha256', '');
CREATE TRIGGER "blog_posts_audited" AFTER INSERT OR UPDATE OR DELETE ON "blog_posts" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('post', 'id', '', 'title', 'title_key,revision,has_been_public', '');
CREATE TRIGGER "blog_sites_audited" AFTER INSERT OR UPDATE OR DELETE ON "blog_sites" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('blog', 'identity_id', '', 'language', 'version', '');
CREATE TRIGGER "blog_images_audited" AFTER INSERT OR UPDATE OR DELETE ON "blog_images" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('picture', 'id', '', '', '', '');
CREATE TRIGGER "calendar_events_audited" AFTER INSERT OR UPDATE OR DELETE ON "calendar_events" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('event', 'id', '', 'title', 'begins_at,over_at,phase_from,phase_to,zone_data,sequence,revision,rescheduled_sequence,announced,reminded_until,reminder_due_at', '');
CREATE TRIGGER "calendar_invitees_audited" AFTER INSERT OR UPDATE OR DELETE ON "calendar_invitees" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('invitee', 'id', 'event_id', 'email', 'position,announced_sequence,invited_at,replied_at', '');
CREATE TRIGGER "calendar_feeds_audited" AFTER INSERT OR UPDATE OR DELETE ON "calendar_feeds" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('calendar_feed', 'identity_id', '', '', '', 'key_id');
