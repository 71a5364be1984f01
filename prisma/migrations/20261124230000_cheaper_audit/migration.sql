-- online
--
-- The audit log costs less and says the same (docs/adr/0011). The rules of all tables are in one list below.

-- step
-- STABLE, as what they call is: otherwise PostgreSQL does not inline them, and a call costs more than the rest of a column's work.

-- A value as the log keeps it: what is long is cut.
CREATE OR REPLACE FUNCTION "audited_value"("value" jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    -- Most values, without looking into them.
    WHEN pg_column_size("value") <= 100 THEN "value"
    WHEN jsonb_typeof("value") = 'string' AND length("value" #>> '{}') > 1000 THEN to_jsonb(left("value" #>> '{}', 1000) || '…')
    WHEN jsonb_typeof("value") IN ('object', 'array') AND length("value"::text) > 4000 THEN to_jsonb(left("value"::text, 1000) || '…')
    ELSE "value"
  END
$$;

-- A column as the log keeps it: without secrets, and cut where it is long.
CREATE OR REPLACE FUNCTION "audited_column"("resource" text, "key" text, "value" jsonb, "secret" text[]) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN "key" = ANY ("secret") THEN '"•••"'::jsonb
    WHEN "resource" = 'event' THEN "audited_value"("audited_event_value"("key", "value"))
    ELSE "audited_value"("value")
  END
$$;

-- Writes the log; no other function does. One level and no helper that PostgreSQL can't inline: a call costs as much as the entry. With
-- custom plans, it would plan the statements again for every row, as constants make them look cheaper.
-- Arguments: resource, columns of its id, of what it is a part of, of its name; columns that are left out, and that are masked.
CREATE OR REPLACE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  "of_resource" constant text := TG_ARGV[0];
  "left_out" constant text[] := TG_ARGV[4];
  "secret" constant text[] := TG_ARGV[5];
  "author" jsonb;
  "old_row" jsonb;
  "new_row" jsonb;
  "subject" jsonb;
  "of_identity" uuid;
  "of_user" uuid;
  "done" text;
  "was" jsonb;
  "is" jsonb;
BEGIN
  "author" := nullif(current_setting('frontdesk.author', true), '');
  -- Many rows at once: new or deleted ones, which need nothing but their columns. OFFSET keeps a row from being converted for every use.
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "audit_entries" (
      "identity_id", "author_kind", "author_id", "cause", "request_id", "client_request_id",
      "resource", "resource_id", "parent_id", "label", "action", "before", "after"
    )
    SELECT ("row" ->> 'identity_id')::uuid, coalesce("author" ->> 'kind', 'database'), ("author" ->> 'id')::uuid, "author" ->> 'cause',
      "author" ->> 'requestId', "author" ->> 'clientRequestId', "of_resource", coalesce("row" ->> TG_ARGV[1], ''), "row" ->> TG_ARGV[2],
      coalesce(left("row" ->> TG_ARGV[3], 200), ''), CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END,
      CASE TG_OP WHEN 'DELETE' THEN "columns" END, CASE TG_OP WHEN 'INSERT' THEN "columns" END
    FROM (SELECT to_jsonb(c) AS "row" FROM "changed" c WHERE NOT "is_erasing"(c."identity_id") OFFSET 0) "rows"
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_object_agg(key, "audited_column"("of_resource", key, value, "secret")), '{}') AS "columns" FROM jsonb_each("row")
      WHERE value NOT IN ('null', '""', '[]', '{}') AND key <> ALL ("left_out")
    ) "noted";
    RETURN NULL;
  END IF;
  -- Long texts that the log leaves out are not even read.
  IF "of_resource" = 'message' THEN
    IF TG_OP <> 'INSERT' THEN OLD."text" := ''; OLD."html" := NULL; OLD."preview" := ''; END IF;
    IF TG_OP <> 'DELETE' THEN NEW."text" := ''; NEW."html" := NULL; NEW."preview" := ''; END IF;
  ELSIF "of_resource" = 'mail' THEN
    IF TG_OP <> 'INSERT' THEN OLD."mail" := '{}'; END IF;
    IF TG_OP <> 'DELETE' THEN NEW."mail" := '{}'; END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN "old_row" := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN "new_row" := to_jsonb(NEW); END IF;
  "subject" := coalesce("new_row", "old_row");
  CASE "of_resource"
    WHEN 'account' THEN "of_user" := "subject" ->> 'id';
    WHEN 'session' THEN "of_user" := "subject" ->> 'user_id';
    WHEN 'two_factor' THEN
      "of_user" := "subject" ->> 'user_id';
      -- When it was turned on and off and when recovery codes were made or used; not what was only begun.
      IF "old_row" ->> 'enabled_at' IS NULL THEN "old_row" := NULL; END IF;
      IF "new_row" ->> 'enabled_at' IS NULL THEN "new_row" := NULL; END IF;
      IF "old_row" IS NULL AND "new_row" IS NULL THEN RETURN NULL; END IF;
    WHEN 'identity' THEN "of_identity" := "subject" ->> 'id';
    ELSE "of_identity" := "subject" ->> 'identity_id';
  END CASE;
  -- An identity is deleted, for its owner and for the log, when it gets `erased_at`. Its log goes with its other rows.
  IF "of_resource" = 'identity' AND "subject" ->> 'erased_at' IS NOT NULL THEN
    IF TG_OP <> 'UPDATE' OR "old_row" ->> 'erased_at' IS NOT NULL THEN RETURN NULL; END IF;
    "new_row" := NULL;
    "of_identity" := NULL;
    "of_user" := "subject" ->> 'owner_user_id';
  ELSIF "is_erasing"("of_identity") THEN
    RETURN NULL;
  END IF;
  -- What goes because something else goes is part of that: invitees with their event, routes with their agent.
  IF TG_OP = 'DELETE' THEN
    IF "of_resource" = 'invitee' AND NOT EXISTS (SELECT 1 FROM "calendar_events" e
      WHERE e."identity_id" = "of_identity" AND e."id" = ("subject" ->> 'event_id')::uuid) THEN RETURN NULL; END IF;
    IF "of_resource" = 'escalation_route' AND NOT EXISTS (SELECT 1 FROM "agents" a
      WHERE a."identity_id" = "of_identity" AND a."id" = ("subject" ->> 'agent_id')::uuid) THEN RETURN NULL; END IF;
  END IF;

  "subject" := coalesce("new_row", "old_row");
  IF "old_row" IS NOT NULL AND "new_row" IS NOT NULL THEN
    "done" := 'updated';
    SELECT
      jsonb_object_agg(key, "audited_column"("of_resource", key, "old_row" -> key, "secret")),
      jsonb_object_agg(key, "audited_column"("of_resource", key, value, "secret"))
    INTO "was", "is"
    FROM jsonb_each("new_row")
    WHERE value IS DISTINCT FROM "old_row" -> key AND key <> ALL ("left_out");
    IF "is" IS NULL THEN RETURN NULL; END IF;
  ELSE
    "is" := (
      SELECT coalesce(jsonb_object_agg(key, "audited_column"("of_resource", key, value, "secret")), '{}') FROM jsonb_each("subject")
      WHERE value NOT IN ('null', '""', '[]', '{}') AND key <> ALL ("left_out")
    );
    IF "old_row" IS NULL THEN
      "done" := 'created';
    ELSE
      "done" := 'deleted';
      "was" := "is";
      "is" := NULL;
    END IF;
  END IF;

  IF "of_identity" IS NULL THEN
    INSERT INTO "account_audit_entries" (
      "user_id", "author_kind", "author_id", "cause", "request_id", "client_request_id",
      "resource", "resource_id", "parent_id", "label", "action", "before", "after"
    ) VALUES (
      "of_user", coalesce("author" ->> 'kind', 'database'), ("author" ->> 'id')::uuid, "author" ->> 'cause', "author" ->> 'requestId',
      "author" ->> 'clientRequestId', "of_resource", coalesce("subject" ->> TG_ARGV[1], ''),
      coalesce("new_row" ->> TG_ARGV[2], "old_row" ->> TG_ARGV[2]), coalesce(left("subject" ->> TG_ARGV[3], 200), ''), "done", "was", "is"
    );
  ELSE
    INSERT INTO "audit_entries" (
      "identity_id", "author_kind", "author_id", "cause", "agent_id", "request_id", "client_request_id",
      "resource", "resource_id", "parent_id", "label", "action", "before", "after"
    ) VALUES (
      "of_identity", coalesce("author" ->> 'kind', 'database'), ("author" ->> 'id')::uuid, "author" ->> 'cause',
      CASE WHEN "of_resource" = 'message' AND "subject" ->> 'direction' = 'outbound' THEN ("subject" ->> 'agent_id')::uuid END,
      "author" ->> 'requestId', "author" ->> 'clientRequestId', "of_resource", coalesce("subject" ->> TG_ARGV[1], ''),
      coalesce("new_row" ->> TG_ARGV[2], "old_row" ->> TG_ARGV[2]), coalesce(left("subject" ->> TG_ARGV[3], 200), ''), "done", "was", "is"
    );
  END IF;
  RETURN NULL;
END $$;

-- The rules of every audited table. Conditions are cheap, and what they exclude costs nothing.
DO $$
DECLARE
  -- Tables that are written by many rows: a trigger for each statement, except for updates, of which single ones would become slower.
  "bulk" constant text[] := '{customers,external_contacts,conversations}';
  "always" constant text := 'true';
  -- Columns that the log leaves out everywhere.
  "common" constant text := 'id,identity_id,created_at,updated_at';
  "changed" constant text := 'OLD.* IS DISTINCT FROM NEW.*';
  -- Not while its identity is erased.
  "kept" constant text := 'NOT "is_erasing"(OLD."identity_id")';
  "rule" record;
BEGIN
  FOR "rule" IN
    SELECT * FROM (VALUES
      -- table, resource, column of its id, of what it is a part of, of its name; left out; masked
      ('users', 'account', 'id', '', 'email', 'session_epoch', 'password_hash'),
      ('sessions', 'session', 'id', 'user_id', 'user_agent', 'last_seen_at,confirmed_at', ''),
      ('two_factors', 'two_factor', 'user_id', '', '', 'user_id,last_step', 'secret,recovery_codes'),
      ('identities', 'identity', 'id', '', 'handle', '', ''),
      ('whitelisted_addresses', 'address', 'id', '', 'address', '', ''),
      ('api_keys', 'api_key', 'id', '', 'name', 'last_used_at', 'hash'),
      ('customers', 'customer', 'id', '', 'company', '', ''),
      ('external_contacts', 'contact', 'guid', 'customer_id', 'email', 'guid,link_order', ''),
      ('agents', 'agent', 'id', '', 'name', 'name_key,search_key,routes_updated_at', ''),
      ('escalation_routes', 'escalation_route', 'level', 'agent_id', 'label', 'agent_id', ''),
      ('conversations', 'conversation', 'id', '', 'subject', 'preview,last_message_at,message_count', ''),
      -- Messages are large and do not change in what they say: the log has their envelope.
      ('messages', 'message', 'id', 'conversation_id', 'subject',
        'text,html,preview,references,thread_keys,is_read,message_id_header,in_reply_to,conversation_id,reply_to', ''),
      ('outbox_mails', 'mail', 'id', '', 'subject',
        'mail,attempts,last_attempt_at,due_at,response,topic,expires_at,message_id_header,delivered', ''),
      ('quarantined_mails', 'quarantined_mail', 'id', '', 'sender', 'sha256', ''),
      ('blog_posts', 'post', 'id', '', 'title', 'title_key,revision,has_been_public', ''),
      ('blog_sites', 'blog', 'identity_id', '', 'language', 'version', ''),
      ('blog_images', 'picture', 'id', '', '', '', ''),
      ('calendar_events', 'event', 'id', '', 'title', 'begins_at,over_at,phase_from,phase_to,zone_data,sequence,revision,'
        'rescheduled_sequence,announced,reminded_until,reminder_due_at', ''),
      ('calendar_invitees', 'invitee', 'id', 'event_id', 'email', 'position,announced_sequence,invited_at,replied_at', ''),
      ('calendar_feeds', 'calendar_feed', 'identity_id', '', '', '', 'key_id')
    ) AS "rules" ("table_name", "resource", "key_column", "parent_column", "label_column", "left_out", "masked")
    LEFT JOIN (VALUES
      -- table; conditions of an entry about a new row, a changed one and a deleted one
      ('users', "always", "changed", "always"),
      ('sessions', "always", "changed", "always"),
      ('two_factors', "always", "changed", "always"),
      ('identities', "always", "changed", "always"),
      -- Most updates are another message: counters and the preview, which the log leaves out.
      ('conversations', "always",
        '(OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."origin_address",
          OLD."counterpart_email", OLD."counterpart_name", OLD."metadata")
        IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
          NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name", NEW."metadata")', "kept"),
      ('messages', "always", 'OLD."status" IS DISTINCT FROM NEW."status"', "kept"),
      -- Mail to accounts is seen by no identity. That of a message is noted with the message, unless its owner starts it again.
      ('outbox_mails', 'NEW."identity_id" IS NOT NULL AND NEW."message_id" IS NULL',
        'NEW."identity_id" IS NOT NULL AND OLD."state" IS DISTINCT FROM NEW."state"
        AND (OLD."state" = ''failed'' OR (NEW."message_id" IS NULL AND NEW."state" IN (''sent'', ''failed'')))',
        'OLD."identity_id" IS NOT NULL AND OLD."message_id" IS NULL AND ' || "kept")
    ) AS "conditions" ("table_name", "inserted", "updated", "deleted") USING ("table_name")
  LOOP
    EXECUTE format(
      CASE WHEN "rule"."table_name" = ANY ("bulk") THEN $triggers$
        CREATE OR REPLACE TRIGGER %2$I AFTER INSERT ON %1$I REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT
          EXECUTE FUNCTION "note_change"(%8$s);
        CREATE OR REPLACE TRIGGER %3$I AFTER UPDATE ON %1$I FOR EACH ROW WHEN (%6$s) EXECUTE FUNCTION "note_change"(%8$s);
        CREATE OR REPLACE TRIGGER %4$I AFTER DELETE ON %1$I REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT
          EXECUTE FUNCTION "note_change"(%8$s);
      $triggers$ ELSE $triggers$
        CREATE OR REPLACE TRIGGER %2$I AFTER INSERT ON %1$I FOR EACH ROW WHEN (%5$s) EXECUTE FUNCTION "note_change"(%8$s);
        CREATE OR REPLACE TRIGGER %3$I AFTER UPDATE ON %1$I FOR EACH ROW WHEN (%6$s) EXECUTE FUNCTION "note_change"(%8$s);
        CREATE OR REPLACE TRIGGER %4$I AFTER DELETE ON %1$I FOR EACH ROW WHEN (%7$s) EXECUTE FUNCTION "note_change"(%8$s);
      $triggers$ END,
      "rule"."table_name", "rule"."table_name" || '_audited', "rule"."table_name" || '_audited_update', "rule"."table_name" || '_audited_delete',
      coalesce("rule"."inserted", "always"), coalesce("rule"."updated", "changed"), coalesce("rule"."deleted", "kept"),
      concat_ws(', ', quote_literal("rule"."resource"), quote_literal("rule"."key_column"), quote_literal("rule"."parent_column"),
        quote_literal("rule"."label_column"), quote_literal('{' || concat_ws(',', "common", nullif("rule"."left_out", '')) || '}'),
        quote_literal('{' || "rule"."masked" || '}'))
    );
  END LOOP;
END $$;

DROP FUNCTION "note_message_change"(), "note_mail_change"(), "note_two_factor_change"(), "audited_columns"(text, jsonb, text[], text[]),
  "note_audit_entry"(text, text, text, text, text[], text[], uuid, uuid, jsonb, jsonb);
