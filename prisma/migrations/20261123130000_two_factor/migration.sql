-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "two_factors" (
    "user_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "enabled_at" TIMESTAMPTZ(3),
    "last_step" BIGINT,
    "recovery_codes" BYTEA[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "two_factors_pkey" PRIMARY KEY ("user_id")
);

-- AddForeignKey
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Sessions of before count as confirmed when they began.
ALTER TABLE "sessions" DISABLE TRIGGER USER;
UPDATE "sessions" SET "confirmed_at" = "created_at";
ALTER TABLE "sessions" ENABLE TRIGGER USER;

ALTER TABLE "two_factors" ALTER COLUMN "recovery_codes" SET NOT NULL;
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_recovery_codes_check" CHECK (cardinality("recovery_codes") <= 10);

-- A confirmation is no change of the session that its owner would look for.
DROP TRIGGER "sessions_audited" ON "sessions";
CREATE TRIGGER "sessions_audited" AFTER INSERT OR UPDATE OR DELETE ON "sessions" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('session', 'id', 'user_id', 'user_agent', 'last_seen_at,confirmed_at', '');

-- The log has when two-factor sign-in was turned on and off and when recovery codes were made or used; not what was only begun.
CREATE FUNCTION "note_two_factor_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "old_row" jsonb;
  "new_row" jsonb;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."enabled_at" IS NOT NULL THEN "old_row" := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' AND NEW."enabled_at" IS NOT NULL THEN "new_row" := to_jsonb(NEW); END IF;
  IF "old_row" IS NULL AND "new_row" IS NULL THEN RETURN NULL; END IF;
  PERFORM "note_audit_entry"(
    'two_factor', 'user_id', '', '', ARRAY['user_id', 'created_at', 'last_step'], ARRAY['secret', 'recovery_codes'],
    NULL, coalesce("new_row" ->> 'user_id', "old_row" ->> 'user_id')::uuid, "old_row", "new_row"
  );
  RETURN NULL;
END $$;

CREATE TRIGGER "two_factors_audited" AFTER INSERT OR UPDATE OR DELETE ON "two_factors" FOR EACH ROW
  EXECUTE FUNCTION "note_two_factor_change"();
