-- CreateEnum
CREATE TYPE "calendar_event_color" AS ENUM ('blue', 'green', 'red', 'purple', 'orange');

-- CreateEnum
CREATE TYPE "calendar_recurrence" AS ENUM ('none', 'daily', 'weekly', 'biweekly', 'monthly', 'yearly');

-- CreateEnum
CREATE TYPE "calendar_event_status" AS ENUM ('confirmed', 'tentative', 'cancelled');

-- CreateEnum
CREATE TYPE "invitee_response" AS ENUM ('needs_action', 'accepted', 'declined', 'tentative');

-- AlterTable
ALTER TABLE "outbox_mails" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "topic" TEXT;

-- CreateTable
CREATE TABLE "calendar_events" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "location" TEXT NOT NULL DEFAULT '',
    "start_at" TIMESTAMPTZ(3) NOT NULL,
    "end_at" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "all_day" BOOLEAN NOT NULL DEFAULT false,
    "virtual_meeting" JSONB,
    "color" "calendar_event_color" NOT NULL DEFAULT 'blue',
    "recurrence" "calendar_recurrence" NOT NULL DEFAULT 'none',
    "recurrence_end_at" TIMESTAMPTZ(3),
    "status" "calendar_event_status" NOT NULL DEFAULT 'confirmed',
    "send_email_reminders" BOOLEAN NOT NULL DEFAULT true,
    "agent_id" UUID,
    "reminders" JSONB NOT NULL DEFAULT '[]',
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "over_at" TIMESTAMPTZ(3),
    "phase_from" INTEGER,
    "phase_to" INTEGER,
    "zone_data" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "rescheduled_sequence" INTEGER NOT NULL DEFAULT 0,
    "announced" JSONB,
    "reminded_until" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reminder_due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendar_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendar_invitees" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "is_optional" BOOLEAN NOT NULL DEFAULT false,
    "response" "invitee_response" NOT NULL DEFAULT 'needs_action',
    "answered_by" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "replied_at" TIMESTAMPTZ(3),
    "announced_sequence" INTEGER,
    "invited_at" TIMESTAMPTZ(3),
    "position" INTEGER NOT NULL,

    CONSTRAINT "calendar_invitees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendar_changes" (
    "identity_id" UUID NOT NULL,
    "shard" SMALLINT NOT NULL,
    "changes" BIGINT NOT NULL,

    CONSTRAINT "calendar_changes_pkey" PRIMARY KEY ("identity_id","shard")
);

-- CreateTable
CREATE TABLE "calendar_feeds" (
    "identity_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("identity_id")
);

-- CreateIndex
CREATE INDEX "calendar_events_identity_id_start_at_id_idx" ON "calendar_events"("identity_id", "start_at", "id");

-- CreateIndex
CREATE INDEX "calendar_events_identity_id_agent_id_start_at_id_idx" ON "calendar_events"("identity_id", "agent_id", "start_at", "id");

-- CreateIndex
CREATE INDEX "calendar_events_zone_data_idx" ON "calendar_events"("zone_data");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_events_identity_id_id_key" ON "calendar_events"("identity_id", "id");

-- CreateIndex
CREATE INDEX "calendar_invitees_identity_id_event_id_idx" ON "calendar_invitees"("identity_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_invitees_event_id_email_key" ON "calendar_invitees"("event_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_key_id_key" ON "calendar_feeds"("key_id");

-- AddForeignKey
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_identity_id_agent_id_fkey" FOREIGN KEY ("identity_id", "agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_invitees" ADD CONSTRAINT "calendar_invitees_identity_id_event_id_fkey" FOREIGN KEY ("identity_id", "event_id") REFERENCES "calendar_events"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

CREATE EXTENSION IF NOT EXISTS btree_gist;

ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_times_check"
  CHECK ("end_at" > "start_at" AND "begins_at" <= "start_at" AND ("over_at" IS NULL OR "over_at" >= "end_at"));
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_recurrence_check"
  CHECK (("recurrence" <> 'none' OR ("over_at" IS NOT NULL AND "phase_from" IS NULL)) AND ("phase_from" IS NULL) = ("phase_to" IS NULL)
    AND ("phase_from" IS NULL OR "phase_from" < "phase_to"));
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_title_check" CHECK ("title" <> '');
ALTER TABLE "calendar_invitees" ADD CONSTRAINT "calendar_invitees_answer_check"
  CHECK (("answered_by" IS NULL) = ("answered_at" IS NULL) AND "answered_by" IN ('mail', 'link', 'api'));
-- Single events by the time they take up: those at work when a range begins. The later ones are found by when they start.
CREATE INDEX "calendar_events_single_idx" ON "calendar_events" USING gist ("identity_id", tstzrange("begins_at", "over_at"))
  WHERE "recurrence" = 'none';
-- Series by when they are going on and by where in their period they lie, so that a range finds those that can meet it and no others.
CREATE INDEX "calendar_events_series_idx" ON "calendar_events"
  USING gist ("identity_id", int4range("phase_from", "phase_to"), tstzrange("begins_at", "over_at")) WHERE "recurrence" <> 'none';
-- The feed: what goes on for ever or longest comes first.
CREATE INDEX "calendar_events_over_idx" ON "calendar_events" ("identity_id", "over_at" DESC, "start_at" DESC, "id" DESC);
-- Reminders that are due and have lost their job.
CREATE INDEX "calendar_events_reminder_idx" ON "calendar_events" ("reminder_due_at") WHERE "reminder_due_at" IS NOT NULL;
-- Mails of one topic that are still to leave.
CREATE INDEX "outbox_mails_topic_idx" ON "outbox_mails" ("identity_id", "topic", "id") WHERE "state" IN ('queued', 'sending');
-- Invitations of an address, in whichever identity's events.
CREATE INDEX "calendar_invitees_email_idx" ON "calendar_invitees" ("email", "event_id");

-- Contacts by a part of their name or address, while somebody is typing whom to invite.
CREATE INDEX "external_contacts_search_idx" ON "external_contacts"
  USING gin ("identity_id", lower(' ' || "display_name" || ' ' || "email") gin_trgm_ops);

-- One number that rises with every change of an event or an answer, without making writers wait for each other.
ALTER TABLE "calendar_changes" SET (fillfactor = 50);

CREATE FUNCTION "note_calendar_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "calendar_changes" AS noted ("identity_id", "shard", "changes")
    SELECT DISTINCT "identity_id", pg_backend_pid() % 16, 1 FROM "changed" ORDER BY 1
  ON CONFLICT ("identity_id", "shard") DO UPDATE SET "changes" = noted."changes" + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER "calendar_events_noted_insert" AFTER INSERT ON "calendar_events"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "note_calendar_change"();
CREATE TRIGGER "calendar_events_noted_update" AFTER UPDATE ON "calendar_events"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "note_calendar_change"();
CREATE TRIGGER "calendar_events_noted_delete" AFTER DELETE ON "calendar_events"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "note_calendar_change"();
-- Adding and removing invitees comes with a change of their event.
CREATE TRIGGER "calendar_invitees_noted_update" AFTER UPDATE ON "calendar_invitees"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "note_calendar_change"();
