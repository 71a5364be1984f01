/**
 * The owner of each table: the folder below `server/` whose SQL may name it. Other folders call the owner's service, or use SQL that
 * the owner exports from a `*.sql.ts` file. `npm run sql:check` refuses all else.
 */
const ownedTables: Record<string, readonly string[]> = {
  'features/accounts': ['users', 'two_factors', 'account_links', 'setup_tokens'],
  'features/agents': ['agents', 'escalation_routes'],
  'features/api-keys': [],
  'features/audit': ['audit_entries'],
  'features/blog': [
    'blog_posts',
    'blog_post_former_addresses',
    'blog_post_counts',
    'blog_sites',
    'blog_images',
    'blog_image_files',
    'remote_pictures',
  ],
  'features/calendar': ['calendar_events', 'calendar_invitees', 'calendar_changes', 'calendar_feeds'],
  'features/conversations': [
    'conversations',
    'merged_conversations',
    'messages',
    'conversation_participants',
    'conversation_agents',
    'attachments',
    'conversation_counts',
  ],
  'features/customers': ['customers', 'external_contacts', 'customer_counts'],
  'features/identity': ['identities', 'whitelisted_addresses', 'address_claims', 'address_codes', 'domain_proofs'],
  'features/mail': ['outbox_mails', 'quarantined_mails'],
  'features/usage': [
    'usage_records',
    'usage_months',
    'usage_days',
    'agent_activity',
    'tracked_tasks',
    'mail_days',
    'storage_usage',
  ],
  'platform/auth': ['sessions', 'sign_in_throttle', 'security_events', 'api_keys'],
  'platform/db': ['_prisma_migrations'],
  'platform/rest': ['api_key_daily_usage', 'idempotent_requests'],
};

/** The owner of each table. */
export const tableOwners: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ownedTables).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
);
