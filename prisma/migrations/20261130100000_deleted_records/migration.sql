-- Deleted customers, events and posts can be restored for 30 days.

-- CreateTable
CREATE TABLE "deleted_records" (
    "identity_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "data" JSON NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_records_pkey" PRIMARY KEY ("identity_id","kind","record_id")
);

-- CreateIndex
CREATE INDEX "deleted_records_deleted_at_idx" ON "deleted_records" USING BRIN ("deleted_at");
