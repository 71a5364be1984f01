-- The day's mail counts for the owning account as well: a business that is deleted and created again does not begin anew.

-- CreateTable
CREATE TABLE "owner_mail_days" (
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "mails" INTEGER NOT NULL,
    "recipients" INTEGER NOT NULL,

    CONSTRAINT "owner_mail_days_pkey" PRIMARY KEY ("user_id","day")
);
