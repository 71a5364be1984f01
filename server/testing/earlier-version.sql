-- Rows of every table as a version whose newest migration was 20261121400000_calendar wrote them: its demo, shortened. They stay as they are,
-- whatever becomes of the schema: migrations must come to terms with them. What the hashes of stored files are of, the loader says.

INSERT INTO "agent_activity" ("identity_id", "agent_id", "shard", "actions", "active", "completed", "failed", "cancelled", "escalations", "minutes_saved", "last_active_at") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', 'cbc3703c-826c-42d0-9728-36b6826d0ff9', '880', '0', '768', '42', '23', '47', '11520', '2026-11-22 07:01:30.539+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20247-afaf-73de-980d-d407db2f4551', '0d2e290f-5aab-4b4f-87d9-7f13d79628ba', '676', '2', '581', '22', '23', '48', '8715', '2026-11-22 07:56:22.763+00');

INSERT INTO "blog_post_counts" ("identity_id", "status", "shard", "posts") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'archived', '14', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'draft', '11', '-1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'draft', '12', '0'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'draft', '14', '2'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'published', '11', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'published', '12', '-8'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'published', '14', '8');

INSERT INTO "calendar_changes" ("identity_id", "shard", "changes") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '1', '6'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '12', '6'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '14', '72'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '5', '1');

INSERT INTO "conversation_counts" ("identity_id", "status", "is_read", "is_archived", "is_spam", "shard", "conversations", "changes") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'completed', 'true', 'false', 'false', '12', '-2', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'completed', 'true', 'false', 'false', '14', '2', '2'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'completed', 'true', 'true', 'false', '12', '-1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'completed', 'true', 'true', 'false', '14', '1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'failed', 'true', 'false', 'false', '14', '1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'false', 'false', 'false', '11', '2', '3'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'false', 'false', 'false', '12', '-3', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'false', 'false', 'false', '14', '2', '38'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'false', 'false', 'true', '12', '-1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'false', 'false', 'true', '14', '1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'true', 'false', 'false', '12', '-2', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'pending', 'true', 'false', 'false', '14', '2', '2'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'processing', 'true', 'false', 'false', '14', '1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_customer', 'true', 'false', 'false', '1', '0', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_customer', 'true', 'false', 'false', '12', '-3', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_customer', 'true', 'false', 'false', '14', '4', '14'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_human', 'false', 'false', 'false', '12', '-1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_human', 'false', 'false', 'false', '14', '1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_human', 'true', 'false', 'false', '12', '-1', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'waiting_human', 'true', 'false', 'false', '14', '1', '1');

INSERT INTO "merged_conversations" ("identity_id", "id", "conversation_id") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0a22-716f-b310-5c55cb9b6667', '01a20248-0b77-7748-a18b-8582805ab52c');

INSERT INTO "remote_pictures" ("hash", "width", "height", "checked_at") VALUES
  (E'\\x9422efb45d28727fe86d99bf0a3bb1e1616ffc39f337fd991012e11f3a0acf45', '640', '480', '2026-11-22 08:05:00+00');

INSERT INTO "setup_tokens" ("hash", "created_at") VALUES
  (E'\\x5e72845d9f64d2e4c1507d595f084349984a529dae3ed8c3fad9bf396a8eb518', '2026-11-20 09:00:00+00');

INSERT INTO "sign_in_throttle" ("key", "points", "expire") VALUES
  ('address:EsoXtJryKJQ28wPgFmAwoh5SXSZuIJJnQzgBqP1AcaA', '0', '1795335599622');

INSERT INTO "tracked_tasks" ("identity_id", "task_id", "agent_id", "outcome", "minutes_saved", "previous_outcome", "previous_minutes_saved") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-10-08-inbox-manager-0', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', 'completed', '15', NULL, NULL),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-10-08-inbox-manager-1', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', 'completed', '15', NULL, NULL);

INSERT INTO "usage_days" ("identity_id", "day", "slice", "shard", "agent_id", "model", "operation", "tokens", "executions") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-11-22', '37afd5bb-2c05-56a3-9c4b-09a7cfa3ff65', 'e5ce0b0d-38ba-4d45-8cb0-b6ffc2a94800', '01a20247-b079-719c-bcf1-5dd2c99937d8', 'claude-sonnet', 'report', '22229', '1'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-11-22', 'f5a49b3f-d061-5448-aea8-e80264dd463e', '1dab6bb8-80a4-4fd6-befa-bef08dedab4b', '01a20247-afaf-73de-980d-d407db2f4551', 'claude-haiku', 'schedule', '34570', '2');

INSERT INTO "usage_months" ("identity_id", "month", "shard", "tokens", "executions") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-10-01', 'd71cc701-3479-479a-ba0e-12206e831b17', '786629', '59'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-11-01', '3b9b9963-6f9a-4e96-9d9d-2b55e03f7dcd', '12188347', '925');

INSERT INTO "usage_records" ("id", "identity_id", "type", "event_id", "prompt_tokens", "completion_tokens", "total_tokens", "model", "provider", "usage_type", "operation", "agent_id", "conversation_id", "task_id", "message_id", "status", "outcome", "result", "metadata", "created_at") VALUES
  ('01a20247-b2da-7305-b2d3-e178ece09415', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'token_usage', '2026-10-08-inbox-manager-0-tokens', '20933', '337', '21270', 'claude-sonnet', 'anthropic', 'completion', 'triage', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', NULL, '2026-10-08-inbox-manager-0', NULL, NULL, NULL, NULL, NULL, '2026-10-08 05:52:55.401+00'),
  ('01a20247-b2da-7305-b2d3-e7d69fff1f49', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'agent_execution', '2026-10-08-inbox-manager-0-completed', NULL, NULL, NULL, 'claude-sonnet', NULL, NULL, 'triage', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', NULL, '2026-10-08-inbox-manager-0', NULL, 'completed', 'completed', NULL, NULL, '2026-10-08 04:57:33.386+00'),
  ('01a20247-b2da-7305-b2d3-eb0712fe05e7', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'token_usage', '2026-10-08-inbox-manager-1-tokens', '19926', '366', '20292', 'claude-sonnet', 'anthropic', 'completion', 'triage', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', NULL, '2026-10-08-inbox-manager-1', NULL, NULL, NULL, NULL, NULL, '2026-10-08 05:34:25.285+00'),
  ('01a20247-b2da-7305-b2d3-edaa554bd27e', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'agent_execution', '2026-10-08-inbox-manager-1-completed', NULL, NULL, NULL, 'claude-sonnet', NULL, NULL, 'triage', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', NULL, '2026-10-08-inbox-manager-1', NULL, 'completed', 'completed', NULL, NULL, '2026-10-08 05:39:23.763+00');

INSERT INTO "users" ("id", "email", "password_hash", "session_epoch", "created_at", "updated_at") VALUES
  ('01a20247-9a16-716a-99d0-e95adaf9a9ed', 'mara@harborlane.example', '$argon2id$v=19$m=19456,t=2,p=1$VztsFv2ayferFxgcjBH55w$hLYaCtt1Q0sF+HSeMonHOW0zNEPtRix4SUIGbj92GLc', '0', '2026-11-22 08:02:56.662+00', NULL),
  ('01a20249-c363-72aa-a81c-0e4585d3d154', 'ann@quark.example', '$argon2id$v=19$m=19456,t=2,p=1$ca9NfZZsE5vKYl5TR+gAgA$Qnz30+Yw5u8jT1x39bf5+n+k48WdtRk0Bn2J5V/Ramc', '0', '2026-11-22 08:05:18.313+00', NULL);

INSERT INTO "identities" ("id", "handle", "owner_user_id", "scope", "plan", "address", "display_name", "profile", "created_at", "updated_at") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'harbor-lane', '01a20247-9a16-716a-99d0-e95adaf9a9ed', 'business', 'small_business', 'hello@harborlane.example', 'Harbor Lane Bicycles', '{"about": "We are a workshop of six in the old rope factory at the harbour. Since 2014 we have sold, repaired and looked after bicycles for people who ride every day: commuters, families with cargo bikes, couriers, and some forty companies whose fleets we keep on the road. Repairs booked before ten are usually done the same day; fleets get a fixed day a month and one person who knows every bike.", "tagline": "City bikes, cargo bikes and a workshop that picks up the phone", "website": "https://harborlane.example", "services": [{"id": "01a20247-9b4f-7117-8e01-e53d7cc70c8e", "name": "Tune-up", "price": 69, "active": true, "currency": "EUR", "description": "Gears, brakes, bearings and a test ride. Parts extra.", "billingInterval": "one-time"}, {"id": "01a20247-9b50-74af-ad3a-f30ef104e6fb", "name": "Full overhaul", "price": 189, "active": true, "currency": "EUR", "description": "Every part cleaned, checked and set; two working days.", "billingInterval": "one-time"}, {"id": "01a20247-9b50-74af-ad3a-f5e93e4ed617", "name": "Fleet care", "price": 340, "active": true, "currency": "EUR", "description": "One visit a month for up to ten bikes, small parts included.", "billingInterval": "monthly"}, {"id": "01a20247-9b50-74af-ad3a-fac3980205a8", "name": "Cargo bike subscription", "price": 149.5, "active": true, "currency": "EUR", "description": "An electric cargo bike with service, insurance and a replacement while yours is in the workshop.", "billingInterval": "monthly"}, {"id": "01a20247-9b50-74af-ad3a-fc61e717fb58", "name": "Winter storage", "price": 95, "active": false, "currency": "EUR", "description": "Dry, insured, with a tune-up in spring.", "billingInterval": "yearly"}]}', '2026-11-22 08:02:56.785+00', '2026-11-22 08:02:56.976+00'),
  ('01a20249-c485-722f-91f4-4a5c3caa33a3', 'quark', '01a20249-c363-72aa-a81c-0e4585d3d154', 'identity', 'solopreneur', NULL, NULL, NULL, '2026-11-22 08:05:18.604+00', NULL);

INSERT INTO "agents" ("id", "identity_id", "name", "kind", "role_id", "status", "avatar_url", "tags", "persona", "setup", "name_key", "search_key", "created_at", "updated_at", "routes_updated_at") VALUES
  ('01a20247-9aec-77cb-8b68-7b42c2e4bf12', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Inbox manager', 'inbox-manager', 'inbox-manager', 'active', '', '{"first line"}', E'{"bio": "Reads everything that arrives at hello@, answers what it can, and hands the rest to the one who knows.", "tone": "Warm, brief, never pushy", "traits": ["welcoming", "precise", "calm"], "signature": "With a tailwind\\nYour Harbor Lane team\\n+49 40 555 120 00", "avatarEmoji": "📮"}', '{"model": {"name": "claude-sonnet", "provider": "anthropic", "maxTokens": 2048, "temperature": 0.3}, "tools": {"email": {"enabled": true}, "calendar": {"enabled": false}}, "context": {"enabled": true, "namespace": "inbox-manager"}, "workflow": {"mode": "draft", "triggers": ["email.received"]}}', 'inbox manager', 'inbox manager
inbox-manager
inbox-manager', '2025-10-18 08:03:02.97+00', '2026-11-22 08:03:02.091+00', '2026-11-22 08:03:02.091+00'),
  ('01a20247-afaf-73de-980d-d407db2f4551', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Workshop planner', 'assistant', 'workshop-planner', 'active', '', '{workshop}', E'{"bio": "Finds a slot in the workshop, confirms it, and reminds people to bring the key of the lock.", "tone": "Practical; dates and times first", "traits": ["organised", "patient"], "signature": "See you at the stand\\nWorkshop planning, Harbor Lane", "avatarEmoji": "🔧"}', '{"model": {"name": "claude-sonnet", "provider": "anthropic", "maxTokens": 2048, "temperature": 0.3}, "tools": {"email": {"enabled": true}, "calendar": {"enabled": false}}, "context": {"enabled": true, "namespace": "workshop-planner"}, "workflow": {"mode": "draft", "triggers": ["email.received"]}}', 'workshop planner', 'workshop planner
assistant
workshop-planner', '2025-10-18 08:03:02.97+00', '2026-11-22 08:03:02.347+00', '2026-11-22 08:03:02.347+00'),
  ('01a20249-c4aa-7571-a4a8-e557ff599b3c', '01a20249-c485-722f-91f4-4a5c3caa33a3', 'Inbox manager', 'inbox-manager', 'inbox-manager', 'active', '', '{}', E'{"bio": "", "tone": "Friendly and to the point", "traits": ["helpful", "precise"], "signature": "Best regards\\nInbox manager"}', '{"model": {"name": "claude-sonnet", "provider": "anthropic", "maxTokens": 2048, "temperature": 0.3}, "tools": {"email": {"enabled": true}, "calendar": {"enabled": false}}, "context": {"enabled": true, "namespace": "inbox-manager"}, "workflow": {"mode": "draft", "triggers": ["email.received"]}}', 'inbox manager', 'inbox manager
inbox-manager
inbox-manager', '2026-11-22 08:05:18.634+00', NULL, '2026-11-22 08:05:18.634+00');

INSERT INTO "api_keys" ("id", "identity_id", "name", "hash", "prefix", "last4", "created_at", "expires_at", "last_used_at", "revoked_at") VALUES
  ('01a20248-0fe7-7208-9d33-5b4acca53b7f', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Demo key', E'\\x5579b57b867a163e31d299e0d9d0bb33284d842e8c373d4687300434f3f9da06', 'sk_live_PDf5', 'iuIk', '2026-11-22 08:03:26.823+00', NULL, '2026-11-22 08:05:57.388+00', NULL),
  ('01a20249-d60e-7210-b9c3-90936cdd6be7', '01a20249-c485-722f-91f4-4a5c3caa33a3', 'Importer', E'\\x2d5e2d867e89713901d2a87881f0845d9fba1022194e69594f5196478210b5cb', 'sk_live_Izno', 'sRZz', '2026-11-22 08:05:23.086+00', NULL, NULL, NULL),
  ('01a20249-e687-74c3-9e9e-da7fffbba14e', '01a20249-c485-722f-91f4-4a5c3caa33a3', 'Gone', E'\\x0d46b4a4346ac1de377cf8660c8cc116bce1937dfdf8c601f64f45fcaca970d5', 'sk_live_kmb5', 'YvPW', '2026-11-22 08:05:27.303+00', NULL, NULL, '2026-11-22 08:05:30.742+00');

INSERT INTO "blog_images" ("id", "identity_id", "width", "height", "created_at") VALUES
  ('01a20249-b0ec-76ef-9f6d-f1b48f1b663f', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '1360', '850', '2026-11-22 08:05:13.581+00');

INSERT INTO "blog_sites" ("identity_id", "language", "version") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'en', '23');

INSERT INTO "calendar_feeds" ("identity_id", "key_id", "created_at") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0fc7-73cb-a119-2e9d60bb3432', '2026-11-22 08:03:26.792+00');

INSERT INTO "conversations" ("id", "identity_id", "subject", "channel", "preview", "status", "is_read", "is_archived", "is_spam", "last_message_at", "message_count", "origin_address", "counterpart_email", "counterpart_name", "metadata", "created_at", "updated_at") VALUES
  ('01a20248-0b77-7748-a18b-8582805ab52c', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Which bike is this?', 'email', 'Hello, I found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it? Theo Sommer', 'processing', 'true', 'false', 'false', '2026-11-22 02:03:24.585+00', '1', 'hello@harborlane.example', 'theo.sommer@post.example', 'Theo Sommer', '{}', '2026-11-22 02:03:24.585+00', '2026-11-22 08:03:25.729+00'),
  ('01a20248-0bb9-7792-bf9a-a1d42d48f0d3', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Bike rack in the courtyard', 'email', 'Dear Oskar, we do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?', 'waiting_customer', 'true', 'false', 'false', '2026-11-22 07:15:24.585+00', '2', 'sales@harborlane.example', 'oskar.kruse@busy.example', 'Oskar Kruse', '{}', '2026-11-22 03:03:24.585+00', '2026-11-22 08:14:01.817+00'),
  ('01a20248-0c6d-70e9-9945-db9f604942a9', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Spare key for a frame lock', 'email', 'Hello Nora, ordered, it takes about a week. We write as soon as it is here.', 'failed', 'true', 'false', 'false', '2026-11-22 07:09:24.585+00', '2', 'hello@harborlane.example', 'nora@bounces.example', 'Nora Lindqvist', '{}', '2026-11-22 04:03:24.585+00', '2026-11-22 08:03:29.422+00'),
  ('01a20249-71d2-75ae-9f9f-610732e5fd27', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Fahrrad – ¿sí? 🚲', 'email', 'Hallo Welt xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', 'pending', 'false', 'false', 'false', '2026-11-22 08:04:57.595+00', '2', 'hello@harborlane.example', 'zoe@quark.example', 'Zoë Größe', '{}', '2026-11-22 08:04:57.425+00', '2026-11-22 08:04:57.594+00');

INSERT INTO "customer_counts" ("identity_id", "shard", "customers") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '12', '-317'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '14', '320');

INSERT INTO "customers" ("id", "identity_id", "company", "phone", "tags", "notes", "metadata", "created_at", "updated_at") VALUES
  ('01a20247-9ce4-732f-a748-58eb8ec0cabc', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Mole Architects', '+49 40 555 566 88', '{company,fleet}', 'Fleet of 35 bikes, serviced on demand. Interested in the cargo bike subscription; call again in spring.', '{"fleetSize": 35, "invoiceByMail": false, "customerNumber": "F-1878"}', '2024-09-07 13:49:01.738+00', '2026-11-13 01:03:01.738+00'),
  ('01a20247-9ed6-713f-b8b1-4ab161d63296', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Lantern Couriers', '+49 40 555 776 50', '{company,fleet,vip}', 'Fleet of 21 bikes, serviced monthly. Wants a text when the bike is ready.', '{"fleetSize": 21, "invoiceByMail": false, "customerNumber": "F-7263"}', '2024-10-08 00:35:01.738+00', '2026-10-28 13:03:01.738+00'),
  ('01a20247-add6-709f-ad20-38d87fa7f558', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '', '+49 40 555 192 51', '{private}', 'Rides a tandem. Wants a text when the bike is ready.', '{"lastService": "2026-04"}', '2026-11-17 04:49:01.738+00', '2026-11-19 08:19:01.738+00');

INSERT INTO "quarantined_mails" ("id", "identity_id", "reason", "detail", "source", "sender", "recipients", "size", "sha256", "is_truncated", "created_at") VALUES
  ('01a20248-0d8d-72c9-98f7-ce8b4a1af6bb', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'unparsable', 'The message has more than 1,000 parts.', 'smtp', 'win@lucky-draws.example', '{hello@harborlane.example}', '63806', '7922a0b95c5b70a8931c36deff83b17ffe8142b17166d78f57117cd8a9247712', 'false', '2026-11-22 08:03:26.222+00');

INSERT INTO "whitelisted_addresses" ("id", "identity_id", "handle", "address", "description", "created_at") VALUES
  ('01a20247-9a9a-76ad-9c47-26ebd9d5a8f4', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'sales', 'sales@harborlane.example', NULL, '2026-11-22 08:02:56.785+00'),
  ('01a20247-9a9a-76ad-9c47-2a49310ede7a', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'workshop', 'workshop@harborlane.example', NULL, '2026-11-22 08:02:56.785+00');

INSERT INTO "api_key_daily_usage" ("api_key_id", "day", "requests") VALUES
  ('01a20248-0fe7-7208-9d33-5b4acca53b7f', '2026-11-22', '349');

INSERT INTO "blog_image_files" ("image_id", "format", "width", "height", "size", "sha256") VALUES
  ('01a20249-b0ec-76ef-9f6d-f1b48f1b663f', 'jpeg', '1200', '630', '65114', '76cb3d57b8f4587c5cb2622b37610727f1d4c72cb951e59def68007261fe5092'),
  ('01a20249-b0ec-76ef-9f6d-f1b48f1b663f', 'webp', '1360', '850', '60230', '6e9cecd1ccd803e66b411dd1784e20ac14900475589138ebade9c0ea373d32ed'),
  ('01a20249-b0ec-76ef-9f6d-f1b48f1b663f', 'webp', '480', '300', '12120', '9e14aedf814cc7e8a45cdf0de4ad9fae92dcef054ef604314b7597cc04b77fd9'),
  ('01a20249-b0ec-76ef-9f6d-f1b48f1b663f', 'webp', '960', '600', '36696', 'd27d8b45cf84a444479ef3ec216439fb04c61e49bf979a7017973dddd57349af');

INSERT INTO "blog_posts" ("id", "identity_id", "title", "slug", "content", "excerpt", "cover_image_url", "author_name", "author_avatar_url", "author_agent_id", "status", "published_at", "tags", "meta_description", "title_key", "revision", "has_been_public", "created_at", "updated_at") VALUES
  ('01a20248-06ae-7105-9acf-7b200e9729cd', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Repair courses in spring', 'repair-courses-in-spring', 'Repair courses in spring: three evenings, eight people, your own bicycle.

Evening one is tubes and brakes, evening two gears, evening three whatever is left.

Dates to follow.
', '', '', 'Mara Lindqvist', '', NULL, 'draft', NULL, '{news}', '', 'repair courses in spring', '1', 'false', '2026-11-15 08:03:24.476+00', '2026-11-17 08:03:24.476+00'),
  ('01a20248-06bf-7108-bb4b-fbd5840ab495', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Summer sale', 'summer-sale', 'Until the end of August: ten per cent off all city bikes in stock, and a tune-up in spring with each of them.

Thank you for a good summer.
', '', '', 'Mara Lindqvist', '', NULL, 'archived', '2026-08-26 08:03:24.489+00', '{news}', '', 'summer sale', '3', 'true', '2026-08-24 08:03:24.538+00', '2026-08-26 08:03:24.538+00'),
  ('01a20249-784e-70c8-a310-fe0ca62dd466', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Upgrading 🚲', 'upgraded-address', 'Hello *world*

![An inbox](http://localhost:3000/blog/harbor-lane/media/01a20249-b0ec-76ef-9f6d-f1b48f1b663f.webp)', '', '/blog/harbor-lane/media/01a20249-b0ec-76ef-9f6d-f1b48f1b663f.webp', 'Mara', '', NULL, 'published', '2026-11-22 08:05:13.607+00', '{}', '', 'upgrading 🚲', '4', 'true', '2026-11-22 08:04:59.117+00', '2026-11-22 08:05:13.648+00');

INSERT INTO "calendar_events" ("id", "identity_id", "title", "description", "location", "start_at", "end_at", "timezone", "all_day", "virtual_meeting", "color", "recurrence", "recurrence_end_at", "status", "send_email_reminders", "agent_id", "reminders", "begins_at", "over_at", "phase_from", "phase_to", "zone_data", "sequence", "revision", "rescheduled_sequence", "announced", "reminded_until", "reminder_due_at", "created_at", "updated_at") VALUES
  ('01a20248-0e17-717a-b263-eae06c8b0669', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Fleet review', 'Numbers of the month, kerb damage, next purchases.', '', '2026-09-17 13:00:00+00', '2026-09-17 14:00:00+00', 'Europe/Berlin', 'false', '{"url": "https://zoom.example/j/84512077", "password": "freewheel", "provider": "zoom"}', 'purple', 'monthly', NULL, 'confirmed', 'true', '01a20247-afaf-73de-980d-d407db2f4551', '[{"type": "email", "unit": "minutes", "value": 30}]', '2026-09-17 13:00:00+00', NULL, '133820', '133940', '2025c', '0', '1', '0', '{"title": "Fleet review", "allDay": false, "status": "confirmed", "endTime": "2026-09-17T14:00:00.000Z", "location": "", "timezone": "Europe/Berlin", "startTime": "2026-09-17T13:00:00.000Z", "recurrence": "monthly", "description": "Numbers of the month, kerb damage, next purchases.", "virtualMeeting": {"url": "https://zoom.example/j/84512077", "password": "freewheel", "provider": "zoom"}, "recurrenceEndDate": null}', '2026-11-22 08:03:26.359+00', '2026-12-17 13:30:00+00', '2026-11-22 08:03:26.359+00', '2026-11-22 08:03:26.359+00'),
  ('01a20248-0f6d-7366-8e7d-bad059244f6f', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Window cleaning', '', '', '2026-11-20 06:30:00+00', '2026-11-20 07:15:00+00', 'Europe/Berlin', 'false', NULL, 'blue', 'none', NULL, 'cancelled', 'true', NULL, '[]', '2026-11-20 06:30:00+00', '2026-11-20 07:15:00+00', NULL, NULL, '2025c', '1', '2', '0', NULL, '2026-11-22 08:03:26.714+00', NULL, '2026-11-22 08:03:26.701+00', '2026-11-22 08:03:26.714+00'),
  ('01a2024a-5c1a-734a-b12c-f8618c3c27d6', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'Reminder across the upgrade', '', '', '2026-11-22 08:13:27.351+00', '2026-11-22 09:13:27.351+00', 'UTC', 'false', NULL, 'blue', 'none', NULL, 'confirmed', 'true', NULL, '[{"type": "email", "unit": "minutes", "value": 5}]', '2026-11-22 08:13:27.351+00', '2026-11-22 09:13:27.351+00', NULL, NULL, '2025c', '0', '1', '0', '{"title": "Reminder across the upgrade", "allDay": false, "status": "confirmed", "endTime": "2026-11-22T09:13:27.351Z", "location": "", "timezone": "UTC", "startTime": "2026-11-22T08:13:27.351Z", "recurrence": "none", "description": "", "virtualMeeting": null, "recurrenceEndDate": null}', '2026-11-22 08:12:39.503+00', NULL, '2026-11-22 08:05:57.403+00', '2026-11-22 08:05:57.403+00');

INSERT INTO "conversation_agents" ("conversation_id", "agent_id", "identity_id", "created_at") VALUES
  ('01a20248-0c6d-70e9-9945-db9f604942a9', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '2026-11-22 08:03:25.962+00');

INSERT INTO "conversation_participants" ("conversation_id", "identity_id", "email", "role", "display_name") VALUES
  ('01a20248-0b77-7748-a18b-8582805ab52c', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'hello@harborlane.example', 'to', NULL),
  ('01a20248-0b77-7748-a18b-8582805ab52c', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'theo.sommer@post.example', 'from', 'Theo Sommer'),
  ('01a20248-0bb9-7792-bf9a-a1d42d48f0d3', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'oskar.kruse@busy.example', 'from', 'Oskar Kruse'),
  ('01a20248-0bb9-7792-bf9a-a1d42d48f0d3', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'sales@harborlane.example', 'from', 'Harbor Lane Bicycles'),
  ('01a20248-0c6d-70e9-9945-db9f604942a9', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'hello@harborlane.example', 'from', 'Inbox manager'),
  ('01a20248-0c6d-70e9-9945-db9f604942a9', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'nora@bounces.example', 'from', 'Nora Lindqvist'),
  ('01a20249-71d2-75ae-9f9f-610732e5fd27', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'hello@harborlane.example', 'to', NULL),
  ('01a20249-71d2-75ae-9f9f-610732e5fd27', '01a20247-9a91-748c-bcd0-a445cd7de1fe', 'zoe@quark.example', 'from', 'Zoë Größe');

INSERT INTO "escalation_routes" ("agent_id", "level", "label", "instructions", "timeout_mins", "to_role", "to_user_id", "channels", "email", "phone", "slack") VALUES
  ('01a20247-9aec-77cb-8b68-7b42c2e4bf12', '1', 'Mara, front desk', 'Opening hours only; say which customer and what they asked for.', '15', NULL, NULL, '{email,in_app}', 'mara@harborlane.example', NULL, NULL),
  ('01a20247-9aec-77cb-8b68-7b42c2e4bf12', '2', 'Jonas, on duty', NULL, '30', NULL, NULL, '{sms}', NULL, '+494055512007', NULL),
  ('01a20247-afaf-73de-980d-d407db2f4551', '1', 'Workshop floor', NULL, '20', NULL, NULL, '{slack,in_app}', NULL, NULL, '#workshop'),
  ('01a20247-afaf-73de-980d-d407db2f4551', '2', 'Head mechanic', NULL, '45', NULL, NULL, '{email,sms}', 'tilda@harborlane.example', '+494055512014', NULL),
  ('01a20247-afaf-73de-980d-d407db2f4551', '3', 'Whoever owns the shop', NULL, '120', NULL, NULL, '{email}', NULL, NULL, NULL);

INSERT INTO "external_contacts" ("identity_id", "guid", "email", "display_name", "customer_id", "is_primary", "link_order", "created_at") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '02566031-af08-5119-90e0-74b1b5581196', 'ines.okafor@post.example', 'Ines Okafor', NULL, 'false', NULL, '2026-11-22 08:03:25.279+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '1906a8e3-99ff-58de-80e7-7570ce8e23e7', 'clara.nguyen@post.example', 'Clara Nguyen', '01a20247-add6-709f-ad20-38d87fa7f558', 'true', '476', '2026-11-22 08:03:01.718+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '32a4ceab-49d2-5c57-95c1-081bc6cb10b3', 'goran.costa@lantern-couriers.example', 'Goran Costa', '01a20247-9ed6-713f-b8b1-4ab161d63296', 'false', '26', '2026-11-22 08:02:57.879+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '4302fd0a-c96c-5ce0-adf2-16db2c52b0ac', 'finn.lindqvist@mole-architects.example', 'Finn Lindqvist', '01a20247-9ce4-732f-a748-58eb8ec0cabc', 'false', '5', '2026-11-22 08:02:57.381+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '4d86e84c-33e4-541d-8c36-b49822f10327', 'ida.horvat@lantern-couriers.example', 'Ida Horvat', '01a20247-9ed6-713f-b8b1-4ab161d63296', 'true', '24', '2026-11-22 08:02:57.879+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', '59d01113-1dad-59a6-904d-cf613010f116', 'selma.dahl@mole-architects.example', 'Selma Dahl', '01a20247-9ce4-732f-a748-58eb8ec0cabc', 'true', '4', '2026-11-22 08:02:57.381+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'bf69e75a-72de-5387-a8f3-db1fc4acaff9', 'sofia.vogel@lantern-couriers.example', 'Sofia Vogel', '01a20247-9ed6-713f-b8b1-4ab161d63296', 'false', '25', '2026-11-22 08:02:57.879+00'),
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'f5078f54-f782-5c5a-8479-2eba7871d532', 'office@lantern-couriers.example', 'Lantern Couriers office', '01a20247-9ed6-713f-b8b1-4ab161d63296', 'false', '27', '2026-11-22 08:02:57.879+00');

INSERT INTO "messages" ("id", "identity_id", "conversation_id", "direction", "status", "from_email", "from_name", "to", "cc", "bcc", "reply_to", "subject", "text", "html", "preview", "message_id_header", "in_reply_to", "references", "thread_keys", "agent_id", "is_read", "is_auto_reply", "attachment_count", "sent_at", "received_at", "created_at") VALUES
  ('01a20248-0b78-7594-abfe-1369960fa393', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0b77-7748-a18b-8582805ab52c', 'inbound', 'received', 'theo.sommer@post.example', 'Theo Sommer', '[{"email": "hello@harborlane.example", "displayName": null}]', '[]', '[]', '[]', 'Which bike is this?', 'Hello,

I found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it?

Theo Sommer', '<p>Hello,</p><p>I found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it?</p><p><img src="cid:bicycle@post.example" alt="A drawing of a bicycle" width="420"></p><p>Theo Sommer</p>', 'Hello, I found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it? Theo Sommer', '<demo-10-0@post.example>', NULL, '{}', '{}', NULL, 'true', 'false', '1', '2026-11-22 02:03:24+00', '2026-11-22 02:03:24.585+00', '2026-11-22 02:03:24.585+00'),
  ('01a20248-0bba-75fb-88ff-5b40bcaf627f', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0bb9-7792-bf9a-a1d42d48f0d3', 'inbound', 'received', 'oskar.kruse@busy.example', 'Oskar Kruse', '[{"email": "sales@harborlane.example", "displayName": null}]', '[]', '[]', '[]', 'Bike rack in the courtyard', 'Dear team,

do you also build racks? Our courtyard has room for twenty bikes and now they lean on everything.

Oskar Kruse
', NULL, 'Dear team, do you also build racks? Our courtyard has room for twenty bikes and now they lean on everything. Oskar Kruse', '<demo-11-0@busy.example>', NULL, '{}', '{}', NULL, 'true', 'false', '0', '2026-11-22 03:03:24+00', '2026-11-22 03:03:24.585+00', '2026-11-22 03:03:24.585+00'),
  ('01a20248-0c36-7449-8dbd-27fa4cdb5b3c', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0bb9-7792-bf9a-a1d42d48f0d3', 'outbound', 'sent', 'sales@harborlane.example', 'Harbor Lane Bicycles', '[{"email": "oskar.kruse@busy.example", "displayName": "Oskar Kruse"}]', '[]', '[]', '[]', 'Re: Bike rack in the courtyard', 'Dear Oskar,

we do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?
', '<p>Dear Oskar,</p>
<p>we do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?</p>', 'Dear Oskar, we do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?', '<01a20248-0c36-7449-8dbd-217314064265@harborlane.example>', '<demo-11-0@busy.example>', '{<demo-11-0@busy.example>}', '{<demo-11-0@busy.example>}', NULL, 'true', 'false', '0', '2026-11-22 08:14:01.817+00', NULL, '2026-11-22 07:15:24.585+00'),
  ('01a20248-0c72-708b-81c3-560b5aaa8223', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0c6d-70e9-9945-db9f604942a9', 'inbound', 'received', 'nora@bounces.example', 'Nora Lindqvist', '[{"email": "hello@harborlane.example", "displayName": null}]', '[]', '[]', '[]', 'Spare key for a frame lock', 'Hello, I lost the key of my frame lock. The number on it is 4417. Can you order one?

Nora
', NULL, 'Hello, I lost the key of my frame lock. The number on it is 4417. Can you order one? Nora', '<demo-12-0@bounces.example>', NULL, '{}', '{}', NULL, 'true', 'false', '0', '2026-11-22 04:03:24+00', '2026-11-22 04:03:24.585+00', '2026-11-22 04:03:24.585+00'),
  ('01a20248-0c8b-71ad-8442-f43d3ce6c3a5', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0c6d-70e9-9945-db9f604942a9', 'outbound', 'failed', 'hello@harborlane.example', 'Inbox manager', '[{"email": "nora@bounces.example", "displayName": "Nora Lindqvist"}]', '[]', '[]', '[]', 'Re: Spare key for a frame lock', 'Hello Nora,

ordered, it takes about a week. We write as soon as it is here.

-- 
With a tailwind
Your Harbor Lane team
+49 40 555 120 00
', '<p>Hello Nora,</p>
<p>ordered, it takes about a week. We write as soon as it is here.</p>
<div class="signature"><p>With a tailwind<br>
Your Harbor Lane team<br>
+49 40 555 120 00</p></div>', 'Hello Nora, ordered, it takes about a week. We write as soon as it is here.', '<01a20248-0c8b-71ad-8442-f031663deac3@harborlane.example>', '<demo-12-0@bounces.example>', '{<demo-12-0@bounces.example>}', '{<demo-12-0@bounces.example>}', '01a20247-9aec-77cb-8b68-7b42c2e4bf12', 'true', 'false', '0', NULL, NULL, '2026-11-22 07:09:24.585+00'),
  ('01a20249-71d9-770f-bcba-b824b0eb908f', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20249-71d2-75ae-9f9f-610732e5fd27', 'inbound', 'received', 'zoe@quark.example', 'Zoë Größe', '[{"email": "hello@harborlane.example", "displayName": null}]', '[]', '[]', '[]', 'Fahrrad – ¿sí? 🚲', 'Hallo Welt xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '<p>Hallo <b>Welt</b> xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'Hallo Welt xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', '<up-1@quark.example>', NULL, '{}', '{}', NULL, 'false', 'false', '1', '2026-11-22 08:00:00+00', '2026-11-22 08:04:57.425+00', '2026-11-22 08:04:57.425+00');

INSERT INTO "attachments" ("id", "identity_id", "message_id", "position", "filename", "content_type", "size", "content_id", "is_inline", "sha256") VALUES
  ('01a20248-0b78-7594-abfe-14f0ea78d258', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0b78-7594-abfe-1369960fa393', '1', 'bicycle.svg', 'image/svg+xml', '445', 'bicycle@post.example', 'true', 'db5878d4a4ac5aedb6b8dc8eda25ffc7b88f00e361e71e86c2abe9f7cf16f1bb'),
  ('01a20249-71da-766c-b4bd-63ee30bda1e2', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20249-71d9-770f-bcba-b824b0eb908f', '1', 'rächnung.pdf', 'application/pdf', '5023', NULL, 'false', 'fab5bcee192b6e99c01703136f14d0f63377f41ce2525a9bbc76de047e80a04f');

INSERT INTO "blog_post_former_addresses" ("identity_id", "slug", "post_id") VALUES
  ('01a20247-9a91-748c-bcd0-a445cd7de1fe', 'upgrading', '01a20249-784e-70c8-a310-fe0ca62dd466');

INSERT INTO "calendar_invitees" ("id", "identity_id", "event_id", "email", "name", "is_optional", "response", "answered_by", "answered_at", "replied_at", "announced_sequence", "invited_at", "position") VALUES
  ('01a20248-0e1c-742d-b2d4-162bd24e0f58', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0e17-717a-b263-eae06c8b0669', 'yara.martens@post.example', 'Yara Martens', 'false', 'accepted', 'link', '2026-11-22 01:03:26.43+00', NULL, '0', '2026-11-19 08:03:26.422+00', '1'),
  ('01a20248-0e1c-742d-b2d4-19170084aaa9', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0e17-717a-b263-eae06c8b0669', 'nadia.weber@mailbox.example', 'Nadia Weber', 'false', 'accepted', 'mail', '2026-11-21 18:03:26.431+00', NULL, '0', '2026-11-19 08:03:26.422+00', '2'),
  ('01a20248-0e1c-742d-b2d4-1d84db60437d', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0e17-717a-b263-eae06c8b0669', 'marek.kruse79@letters.example', 'Marek Kruse', 'false', 'needs_action', NULL, NULL, NULL, '0', '2026-11-19 08:03:26.422+00', '3'),
  ('01a2024a-5c73-74ed-aeb9-9791275206ce', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a2024a-5c1a-734a-b12c-f8618c3c27d6', 'bob@quark.example', '', 'false', 'needs_action', NULL, NULL, NULL, '0', '2026-11-22 08:05:57.403+00', '1');

INSERT INTO "outbox_mails" ("id", "identity_id", "message_id", "kind", "state", "message_id_header", "subject", "recipients", "delivered", "refusals", "mail", "attempts", "due_at", "error", "response", "last_attempt_at", "sent_at", "created_at", "expires_at", "topic") VALUES
  ('01a20248-0c3d-7621-83ac-572de4189268', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0c36-7449-8dbd-27fa4cdb5b3c', 'reply', 'sent', '<01a20248-0c36-7449-8dbd-217314064265@harborlane.example>', 'Re: Bike rack in the courtyard', '{oskar.kruse@busy.example}', '{oskar.kruse@busy.example}', '{}', E'{"cc": [], "to": [{"email": "oskar.kruse@busy.example", "displayName": "Oskar Kruse"}], "bcc": [], "from": {"email": "sales@harborlane.example", "displayName": "Harbor Lane Bicycles"}, "html": "<p>Dear Oskar,</p>\\n<p>we do not build them, but we know who does and come along to measure. Would Tu", "text": "Dear Oskar,\\n\\nwe do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?\\n", "inReplyTo": "<demo-11-0@busy.example>", "references": ["<demo-11-0@busy.example>"]}', '4', '2026-11-22 08:14:00.835+00', NULL, '250 OK: message queued', '2026-11-22 08:14:01.207+00', '2026-11-22 08:14:01.817+00', '2026-11-22 08:03:25.762+00', NULL, NULL),
  ('01a20248-0c92-73b2-af64-2547ad450c2b', '01a20247-9a91-748c-bcd0-a445cd7de1fe', '01a20248-0c8b-71ad-8442-f43d3ce6c3a5', 'reply', 'failed', '<01a20248-0c8b-71ad-8442-f031663deac3@harborlane.example>', 'Re: Spare key for a frame lock', '{nora@bounces.example}', '{}', '{"nora@bounces.example": "nora@bounces.example: 550 5.1.1 This mailbox does not exist"}', E'{"cc": [], "to": [{"email": "nora@bounces.example", "displayName": "Nora Lindqvist"}], "bcc": [], "from": {"email": "hello@harborlane.example", "displayName": "Inbox manager"}, "html": "<p>Hello Nora,</p>\\n<p>ordered, it takes about a week. We write as soon as it is here.</p>\\n<div class", "text": "Hello Nora,\\n\\nordered, it takes about a week. We write as soon as it is here.\\n\\n-- \\nWith a tailwind\\nYour Harbor Lane team\\n+49 40 555 120 00\\n", "inReplyTo": "<demo-12-0@bounces.example>", "references": ["<demo-12-0@bounces.example>"]}', '1', '2026-11-22 08:03:25.962+00', NULL, NULL, '2026-11-22 08:03:29.26+00', NULL, '2026-11-22 08:03:25.962+00', NULL, NULL),
  ('01a2024a-5c84-70a5-b1fc-eec7d425b518', '01a20247-9a91-748c-bcd0-a445cd7de1fe', NULL, 'invitation', 'sent', '<01a2024a-5c83-76da-8e33-95baa516c4ae@harborlane.example>', 'Invitation: Reminder across the upgrade @ Sun 22 Nov 2026, 08:13 (UTC)', '{bob@quark.example}', '{bob@quark.example}', '{}', E'{"cc": [], "to": [{"email": "bob@quark.example", "displayName": null}], "bcc": [], "from": {"email": "hello@harborlane.example", "displayName": "Harbor Lane Bicycles"}, "html": "<!DOCTYPE html>\\n<html lang=\\"en\\">\\n<head>\\n<meta charset=\\"utf-8\\">\\n<meta name=\\"viewport\\" content=\\"width=", "text": "Harbor Lane Bicycles invites you.\\n\\nReminder across the upgrade\\n\\nWhen: Sunday, 22 November 2026, 08:13–09:13 (UTC)\\n\\nWill you come?\\nhttp://localhost:3000/rsvp/AaICSlxzdO2uuZeRJ1IGzli3H62NrpvfqllS2N4HiSo\\n\\nOrganizer: Harbor Lane Bicycles (hello@harborlane.example)\\nGuests: bob@quark.example (you)\\n\\nThis mail went to bob@quark.example on behalf of Harbor Lane Bicycles. The link to answer is yours alone: whoever has it can answer for you.\\n", "calendar": {"method": "REQUEST", "content": "BEGIN:VCALENDAR\\r\\nPRODID:-//Frontdesk//Calendar//EN\\r\\nVERSION:2.0\\r\\nCALSCALE:GREGORIAN\\r\\nMETHOD:REQUEST\\r\\nBEGIN:VEVENT\\r\\nUID:01a2024a-5c1a-734a-b12c-f8618c3c27d6\\r\\nDTSTAMP:20261122T080557Z\\r\\nSEQUENCE:0\\r\\nCREATED:20261122T080557Z\\r\\nLAST-MODIFIED:20261122T080557Z\\r\\nDTSTART:20261122T081327Z\\r\\nDTEND:20261122T091327Z\\r\\nSUMMARY:Reminder across the upgrade\\r\\nSTATUS:CONFIRMED\\r\\nTRANSP:OPAQUE\\r\\nORGANIZER;CN=Harbor Lane Bicycles:mailto:hello@harborlane.example\\r\\nATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=\\r\\n TRUE:mailto:bob@quark.example\\r\\nX-MICROSOFT-CDO-ALLDAYEVENT:FALSE\\r\\nX-MICROSOFT-CDO-BUSYSTATUS:BUSY\\r\\nX-MICROSOFT-CDO-INTENDEDSTATUS:BUSY\\r\\nEND:VEVENT\\r\\nEND:VCALENDAR\\r\\n"}, "inReplyTo": null, "references": ["<01a2024a-5c1a-734a-b12c-f8618c3c27d6@harborlane.example>"]}', '3', '2026-11-22 08:08:28.748+00', NULL, '250 OK: message queued', '2026-11-22 08:12:38.866+00', '2026-11-22 08:12:39.718+00', '2026-11-22 08:05:57.403+00', NULL, 'event:01a2024a-5c1a-734a-b12c-f8618c3c27d6'),
  ('01a20250-7d50-74b5-a5b5-4c4d8b720c6b', '01a20247-9a91-748c-bcd0-a445cd7de1fe', NULL, 'event_reminder', 'sent', '<01a20250-7d50-74b5-a5b5-47a775806fee@harborlane.example>', 'Reminder: Reminder across the upgrade @ Sun 22 Nov 2026, 08:13 (UTC)', '{mara@harborlane.example}', '{mara@harborlane.example}', '{}', E'{"cc": [], "to": [{"email": "mara@harborlane.example", "displayName": null}], "bcc": [], "from": {"email": "hello@harborlane.example", "displayName": "Harbor Lane Bicycles"}, "html": "<!DOCTYPE html>\\n<html lang=\\"en\\">\\n<head>\\n<meta charset=\\"utf-8\\">\\n<meta name=\\"viewport\\" content=\\"width=", "text": "Starts in 1 minute.\\n\\nReminder across the upgrade\\n\\nWhen: Sunday, 22 November 2026, 08:13–09:13 (UTC)\\n\\nOpen in the dashboard: http://localhost:3000/calendar?event=01a2024a-5c1a-734a-b12c-f8618c3c27d6\\n\\nAnswers: 1 without an answer\\nGuests: bob@quark.example\\n\\nThis mail went to mara@harborlane.example on behalf of Harbor Lane Bicycles.\\n", "inReplyTo": null, "references": ["<01a2024a-5c1a-734a-b12c-f8618c3c27d6@harborlane.example>"], "isAutomatic": true}', '1', '2026-11-22 08:12:38.846+00', NULL, '250 OK: message queued', '2026-11-22 08:12:39.657+00', '2026-11-22 08:12:41.063+00', '2026-11-22 08:12:38.846+00', '2026-11-22 09:13:27.351+00', 'event:01a2024a-5c1a-734a-b12c-f8618c3c27d6');
