-- Passkeys (docs/adr/0027).

-- CreateTable
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "rp_id" TEXT NOT NULL,
    "aaguid" UUID NOT NULL,
    "is_backup_eligible" BOOLEAN NOT NULL,
    "is_backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "used_passkey_challenges" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_passkey_challenges_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- CreateIndex
CREATE INDEX "used_passkey_challenges_expires_at_idx" ON "used_passkey_challenges"("expires_at");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "two_factors" ALTER COLUMN "secret" DROP NOT NULL;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "passkeys" ALTER COLUMN "transports" SET NOT NULL;

-- Recovery codes may be there without an app, but no app without its secret.
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_secret_check" CHECK ("enabled_at" IS NULL OR "secret" IS NOT NULL);

-- The log of the account has its passkeys: when they were added, renamed and removed, but no keys.
CREATE OR REPLACE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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
    WHEN 'session', 'passkey', 'oidc_account' THEN "of_user" := "subject" ->> 'user_id';
    WHEN 'two_factor' THEN
      "of_user" := "subject" ->> 'user_id';
      -- Turned on and off, and recovery codes made or used; not what was only begun.
      IF "old_row" ->> 'enabled_at' IS NULL THEN
        "old_row" := CASE WHEN "old_row" -> 'recovery_codes' <> '[]' THEN "old_row" - 'secret' END;
      END IF;
      IF "new_row" ->> 'enabled_at' IS NULL THEN
        "new_row" := CASE WHEN "new_row" -> 'recovery_codes' <> '[]' THEN "new_row" - 'secret' END;
      END IF;
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

DO $$
DECLARE
  "arguments" constant text := $a$'passkey', 'id', '', 'name',
    '{id,created_at,user_id,credential_id,public_key,counter,transports,rp_id,aaguid,is_backup_eligible,is_backed_up,last_used_at}', '{}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE TRIGGER "passkeys_audited" AFTER INSERT ON "passkeys" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "passkeys_audited_update" AFTER UPDATE ON "passkeys" FOR EACH ROW
      WHEN (OLD."name" IS DISTINCT FROM NEW."name") EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "passkeys_audited_delete" AFTER DELETE ON "passkeys" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
