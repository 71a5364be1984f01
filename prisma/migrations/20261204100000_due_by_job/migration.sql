-- Mail and reminders are due by their jobs alone (docs/adr/0036). Those that wait without one, for a setting or after the end of a server, get it.
INSERT INTO "jobs" ("kind", "key", "lane", "payload", "due_at")
SELECT 'send-mail', "id"::text, CASE WHEN "kind" IN ('reset_password', 'confirm_email', 'address_code') THEN 'account-mail' ELSE 'mail' END,
  jsonb_build_object('id', "id"), "due_at"
FROM "outbox_mails" WHERE "state" IN ('queued', 'sending')
ON CONFLICT DO NOTHING;

INSERT INTO "jobs" ("kind", "key", "lane", "payload", "due_at")
SELECT 'send-event-reminders', "id"::text, 'shared', jsonb_build_object('identityId', "identity_id", 'eventId', "id"), "reminder_due_at"
FROM "calendar_events" WHERE "reminder_due_at" IS NOT NULL
ON CONFLICT DO NOTHING;

DELETE FROM "jobs" WHERE "kind" IN ('sweep-outbox', 'sweep-reminders');

-- DropIndex
DROP INDEX "outbox_mails_due_idx";

-- AlterTable
ALTER TABLE "calendar_events" DROP COLUMN "reminder_due_at";
