-- Conversations of other channels than e-mail are rare; without an index, looking for them would read all of the identity's.
CREATE INDEX "conversations_channel_idx" ON "conversations" ("identity_id", "channel", "last_message_at", "id") WHERE "channel" <> 'email';
