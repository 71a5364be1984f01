-- Members of a business with roles, and invitations (docs/adr/0026). Owners of earlier versions become members with all rights.

-- CreateEnum
CREATE TYPE "team_role" AS ENUM ('owner', 'admin', 'member', 'viewer');

-- AlterTable
ALTER TABLE "blog_posts" ADD COLUMN     "created_by" UUID;

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "requires_two_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "sent_by" UUID;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "display_name" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "memberships" (
    "identity_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "team_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_active_at" TIMESTAMPTZ(3),

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("identity_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "team_role" NOT NULL,
    "hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "is_mailed" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("identity_id","id")
);

-- CreateIndex
CREATE INDEX "memberships_user_id_created_at_idx" ON "memberships"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_identity_id_email_key" ON "invitations"("identity_id", "email");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Locks out writers of identities until the trigger is there, so that no owner is left without a membership.
LOCK TABLE "identities" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "memberships" ("identity_id", "user_id", "role", "created_at")
SELECT "id", "owner_user_id", 'owner', "created_at" FROM "identities";

-- A calendar's address is a member's own from now on, so that it ends with their membership. Addresses in use keep working.
ALTER TABLE "calendar_feeds" ADD COLUMN "user_id" UUID;
-- No change that anybody has made.
ALTER TABLE "calendar_feeds" DISABLE TRIGGER USER;
UPDATE "calendar_feeds" f SET "user_id" = i."owner_user_id" FROM "identities" i WHERE i."id" = f."identity_id";
ALTER TABLE "calendar_feeds" ENABLE TRIGGER USER;
ALTER TABLE "calendar_feeds" ALTER COLUMN "user_id" SET NOT NULL,
  DROP CONSTRAINT "calendar_feeds_pkey",
  DROP CONSTRAINT "calendar_feeds_identity_id_fkey",
  ADD CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("identity_id", "user_id"),
  ADD CONSTRAINT "calendar_feeds_identity_id_user_id_fkey" FOREIGN KEY ("identity_id", "user_id")
    REFERENCES "memberships"("identity_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The owner of a business is a member, however it is created: also by a server of the version before, while it is being upgraded.
CREATE FUNCTION "make_owner_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "memberships" ("identity_id", "user_id", "role") VALUES (NEW."id", NEW."owner_user_id", 'owner')
  ON CONFLICT ("identity_id", "user_id") DO UPDATE SET "role" = 'owner';
  RETURN NULL;
END $$;
CREATE TRIGGER "identities_owner" AFTER INSERT ON "identities" FOR EACH ROW EXECUTE FUNCTION "make_owner_member"();
CREATE TRIGGER "identities_owner_update" AFTER UPDATE OF "owner_user_id" ON "identities" FOR EACH ROW
  WHEN (OLD."owner_user_id" <> NEW."owner_user_id") EXECUTE FUNCTION "make_owner_member"();

-- The owner who answers for a business stays an owner, so it always has one. What takes another owner's place changes `owner_user_id`
-- first; two that do so at the same time wait for each other at the row of the identity.
CREATE FUNCTION "keep_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."role" = 'owner' AND NEW."identity_id" = OLD."identity_id" AND NEW."user_id" = OLD."user_id" THEN RETURN NULL; END IF;
  PERFORM 1 FROM "identities" WHERE "id" = OLD."identity_id" AND "owner_user_id" = OLD."user_id" AND "erased_at" IS NULL FOR NO KEY UPDATE;
  IF FOUND THEN
    RAISE EXCEPTION 'A business keeps an owner.' USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_owner', TABLE = 'memberships';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "memberships_owner" AFTER UPDATE OR DELETE ON "memberships" FOR EACH ROW
  WHEN (OLD."role" = 'owner') EXECUTE FUNCTION "keep_owner"();

-- The audit log of the team. The membership of who creates a business is part of creating it.
CREATE TRIGGER "memberships_audited" AFTER INSERT ON "memberships" FOR EACH ROW WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION "note_change"('membership', 'user_id', '', '', '{id,identity_id,created_at,updated_at,last_active_at}', '{}');
CREATE TRIGGER "memberships_audited_update" AFTER UPDATE ON "memberships" FOR EACH ROW WHEN (OLD."role" <> NEW."role")
  EXECUTE FUNCTION "note_change"('membership', 'user_id', '', '', '{id,identity_id,created_at,updated_at,last_active_at}', '{}');
CREATE TRIGGER "memberships_audited_delete" AFTER DELETE ON "memberships" FOR EACH ROW WHEN (NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('membership', 'user_id', '', '', '{id,identity_id,created_at,updated_at,last_active_at}', '{}');
CREATE TRIGGER "invitations_audited" AFTER INSERT ON "invitations" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('invitation', 'id', '', 'email', '{id,identity_id,created_at,updated_at,sent_at,is_mailed}', '{hash}');
CREATE TRIGGER "invitations_audited_update" AFTER UPDATE ON "invitations" FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION "note_change"('invitation', 'id', '', 'email', '{id,identity_id,created_at,updated_at,sent_at,is_mailed}', '{hash}');
CREATE TRIGGER "invitations_audited_delete" AFTER DELETE ON "invitations" FOR EACH ROW WHEN (NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('invitation', 'id', '', 'email', '{id,identity_id,created_at,updated_at,sent_at,is_mailed}', '{hash}');
