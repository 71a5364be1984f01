-- What messages are found by. Messages that there are already get theirs from a job.
CREATE TABLE "message_search" (
    "identity_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "message_search_pkey" PRIMARY KEY ("identity_id","message_id"),
    CONSTRAINT "message_search_identity_id_message_id_fkey" FOREIGN KEY ("identity_id", "message_id") REFERENCES "messages"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "message_search_identity_id_conversation_id_idx" ON "message_search"("identity_id", "conversation_id");

-- Without the identity: the words begin with a mark of it.
CREATE INDEX "message_search_terms_idx" ON "message_search" USING gin ("terms");
