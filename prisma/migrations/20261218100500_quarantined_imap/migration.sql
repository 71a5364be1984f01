-- online
--
-- Emails that are read from a mailbox are quarantined like others.

-- step
ALTER TABLE "quarantined_mails" DROP CONSTRAINT IF EXISTS "quarantined_mails_words_check",
ADD CONSTRAINT "quarantined_mails_words_check" CHECK ("reason" IN ('unparsable', 'too_large') AND "source" IN ('smtp', 'http', 'imap')) NOT VALID;

-- step
ALTER TABLE "quarantined_mails" VALIDATE CONSTRAINT "quarantined_mails_words_check";
