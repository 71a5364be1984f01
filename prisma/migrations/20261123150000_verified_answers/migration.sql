-- Whether an answer's sender is known to be the invitee. Answers by mail from before were never checked: null.
ALTER TABLE "calendar_invitees" ADD COLUMN "answer_verified" BOOLEAN;

-- Nothing that readers of the calendar or its owner should hear of.
ALTER TABLE "calendar_invitees" DISABLE TRIGGER USER;

UPDATE "calendar_invitees" SET "answer_verified" = true WHERE "answered_by" IN ('link', 'api');

ALTER TABLE "calendar_invitees" ENABLE TRIGGER USER;
