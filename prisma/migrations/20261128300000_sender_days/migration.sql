-- What one sender brings in for an identity in a day is limited.

-- CreateTable
CREATE TABLE "sender_days" (
    "identity_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "sender" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "sender_days_pkey" PRIMARY KEY ("identity_id","day","sender")
);
