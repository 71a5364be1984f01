import { getFeed } from '@/server/features/calendar/feed.service';
import { replyInput } from '@/server/features/conversations/message.schema';
import { replyTo } from '@/server/features/conversations/reply.service';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { trackInput } from '@/server/features/usage/usage.schema';
import { trackUsage } from '@/server/features/usage/usage.service';
import { pool } from '@/server/platform/db/pool';
import { publishPost } from './blog';
import { createTestEvent } from './calendar';
import { createTestDesk } from './desk';
import { deliver } from './mail';

/** A business with every kind of data. */
export async function createFullDesk() {
  const desk = await createTestDesk();
  const { actor, identityId, apiKeyActor } = desk;
  await createCustomer(actor, createCustomerInput.parse({ company: 'Quark', contacts: [{ email: 'ann@quark.example' }] }));
  const { conversationId } = await deliver({}, { to: [desk.address, `inbox-manager@${desk.domain}`] });
  await replyTo(actor, replyInput.parse({ conversationId, text: 'Yes.' }));
  await publishPost(actor, { title: 'Wet brakes' });
  await createTestEvent(actor, { invitees: [{ email: 'bob@quark.example' }] });
  await getFeed(actor);
  const task = { type: 'agent_execution', agentId: 'a', status: 'completed', operation: 'reply', taskId: 't', eventId: 'e' };
  await trackUsage(apiKeyActor, trackInput.parse(task));
  const insert = (text: string) => pool().query(text, [identityId]);
  await insert(`INSERT INTO merged_conversations (identity_id, id, conversation_id)
    SELECT $1, gen_random_uuid(), id FROM conversations WHERE identity_id = $1`);
  await insert(`INSERT INTO deleted_messages (identity_id, message_id_header, message_id, conversation_id)
    VALUES ($1, '<gone@x.io>', gen_random_uuid(), gen_random_uuid())`);
  await insert(
    `INSERT INTO deleted_records (identity_id, kind, record_id, data) VALUES ($1, 'customer', gen_random_uuid(), '{}')`,
  );
  await insert(`INSERT INTO sender_days (identity_id, day, sender, bytes) VALUES ($1, '2026-11-26', '@quark.example', 1)`);
  await insert(`INSERT INTO quarantined_mails (id, identity_id, reason, detail, source, recipients, size, sha256, is_truncated)
    VALUES (gen_random_uuid(), $1, 'unparsable', '', 'smtp', '{}', 1, repeat('a', 64), false)`);
  await insert(
    `INSERT INTO blog_images (id, identity_id, width, height, created_at) VALUES (gen_random_uuid(), $1, 1, 1, now())`,
  );
  await insert(`INSERT INTO blog_image_files (identity_id, image_id, format, width, height, size, sha256)
    SELECT $1, id, 'webp', 1, 1, 1, repeat('c', 64) FROM blog_images WHERE identity_id = $1`);
  await insert(`INSERT INTO escalation_routes (identity_id, agent_id, level, timeout_mins, channels, email)
    SELECT $1, id, 9, 5, '{email}', 'ann@x.io' FROM agents WHERE identity_id = $1`);
  await insert(`INSERT INTO agent_addresses (identity_id, agent_id, address)
    SELECT $1, id, 'earlier@x.io' FROM agents WHERE identity_id = $1 LIMIT 1`);
  await insert(`INSERT INTO attachments (id, identity_id, message_id, position, filename, content_type, size, sha256, is_inline)
    SELECT gen_random_uuid(), $1, id, 9, 'a', 'text/plain', 1, repeat('b', 64), false FROM messages WHERE identity_id = $1 LIMIT 1`);
  await insert(`INSERT INTO message_renderings (identity_id, message_id, remote_images, version, page)
    SELECT $1, id, false, 1, '' FROM messages WHERE identity_id = $1 LIMIT 1`);
  await insert(`INSERT INTO conversation_notes (identity_id, id, conversation_id, text, author_type, author_id)
    SELECT $1, gen_random_uuid(), id, 'Internal', 'user', gen_random_uuid() FROM conversations WHERE identity_id = $1`);
  await insert(`INSERT INTO conversation_presence (identity_id, conversation_id, user_id, activity)
    SELECT $1, c.id, i.owner_user_id, 'viewing' FROM conversations c JOIN identities i ON i.id = c.identity_id WHERE c.identity_id = $1`);
  await insert(
    'UPDATE conversations c SET assignee_user_id = i.owner_user_id FROM identities i WHERE i.id = $1 AND c.identity_id = i.id',
  );
  await insert(
    `INSERT INTO blog_post_former_addresses (identity_id, post_id, slug) SELECT $1, id, 'old' FROM blog_posts WHERE identity_id = $1`,
  );
  await insert(`INSERT INTO security_events (id, minute, cause, kind, reason, identity_id, address, count, first_at, last_at)
    VALUES (gen_random_uuid(), now(), sha256(gen_random_uuid()::text::bytea), 'key_refused', 'revoked_key', $1, 'x', 1, now(), now())`);
  await insert(
    `INSERT INTO webhooks (id, identity_id, url, events, secret) VALUES (gen_random_uuid(), $1, 'https://hooks.example', '{*}', 'x')`,
  );
  await insert(`INSERT INTO webhook_deliveries (id, identity_id, webhook_id, event_id, event_type, event_position, event_seq)
    SELECT gen_random_uuid(), $1, w.id, e.id, e.type, e.position, e.seq FROM webhooks w JOIN event_log e USING (identity_id)
    WHERE identity_id = $1 LIMIT 1`);
  await insert(`INSERT INTO webhook_attempts (id, identity_id, delivery_id, started_at, duration_ms)
    SELECT gen_random_uuid(), $1, id, now(), 1 FROM webhook_deliveries WHERE identity_id = $1`);
  await insert(
    'INSERT INTO calendar_feeds (identity_id, user_id, key_id) SELECT id, owner_user_id, gen_random_uuid() FROM identities WHERE id = $1 ON CONFLICT DO NOTHING',
  );
  await insert(`INSERT INTO invitations (id, identity_id, email, role, hash, is_mailed, expires_at)
    VALUES (gen_random_uuid(), $1, 'ann@x.io', 'viewer', sha256(gen_random_uuid()::text::bytea), true, now())`);
  await insert(`INSERT INTO notifications (id, identity_id, user_id, kind, title, sent_title, dedupe_key, in_app)
    SELECT gen_random_uuid(), id, owner_user_id, 'assigned', 'Assigned to you', 'Assigned to you', 'a', true FROM identities WHERE id = $1`);
  await insert(`INSERT INTO notification_settings (identity_id, user_id) SELECT id, owner_user_id FROM identities WHERE id = $1`);
  return desk;
}
