/** The tables of a part of the server. */
interface TableOwner {
  /** Folders below `server/` whose SQL may name the tables: the owning feature, and the parts of the platform that use them. */
  folders: readonly string[];
  tables: readonly string[];
}

/**
 * The owners of all tables. Other folders call the owner's service, or use SQL exported from its `*.sql.ts` file. `npm run
 * sql:check` refuses everything else.
 */
const owners: readonly TableOwner[] = [
  // A team is made of accounts, with what they need to work for a business.
  { folders: ['features/accounts', 'platform/auth', 'features/team'], tables: ['users', 'two_factors', 'passkeys'] },
  {
    folders: ['features/accounts', 'platform/auth'],
    tables: [
      'sessions',
      'used_passkey_challenges',
      'oidc_accounts',
      'account_links',
      'setup_tokens',
      'sign_in_throttle',
      'user_photos',
    ],
  },
  { folders: ['features/team', 'platform/auth', 'features/accounts'], tables: ['memberships'] },
  { folders: ['features/team'], tables: ['invitations'] },
  // The key of an agent works while its agent does.
  { folders: ['features/agents', 'platform/auth'], tables: ['agents'] },
  { folders: ['features/agents'], tables: ['escalation_routes', 'agent_addresses'] },
  { folders: ['features/api-keys', 'platform/auth', 'platform/rest'], tables: ['api_keys', 'api_key_daily_usage'] },
  { folders: ['features/audit', 'platform/auth'], tables: ['audit_entries', 'account_audit_entries', 'security_events'] },
  {
    folders: ['features/blog'],
    tables: [
      'blog_posts',
      'blog_post_former_addresses',
      'blog_post_counts',
      'blog_sites',
      'blog_images',
      'blog_image_files',
      'remote_pictures',
    ],
  },
  { folders: ['features/calendar'], tables: ['calendar_events', 'calendar_invitees', 'calendar_changes', 'calendar_feeds'] },
  {
    folders: ['features/conversations'],
    tables: [
      'conversations',
      'merged_conversations',
      'messages',
      'deleted_messages',
      'conversation_participants',
      'conversation_agents',
      'conversation_notes',
      'attachments',
      'message_renderings',
      'conversation_counts',
      'conversation_presence',
    ],
  },
  // Every event goes to the webhooks that want it, in the statement that adds it.
  { folders: ['features/events', 'features/accounts'], tables: ['event_log', 'object_versions', 'event_clock'] },
  {
    folders: ['features/webhooks', 'features/events', 'features/accounts'],
    tables: ['webhooks', 'webhook_deliveries', 'webhook_attempts'],
  },
  { folders: ['features/deletions'], tables: ['deleted_records'] },
  { folders: ['features/customers'], tables: ['customers', 'external_contacts', 'customer_counts'] },
  // Accounts create and delete their businesses; an identity's own address is proven and set like further ones. A team names the
  // owner who answers for it.
  {
    folders: ['features/identity', 'features/accounts', 'features/addresses', 'features/team', 'platform/auth'],
    tables: ['identities'],
  },
  { folders: ['features/addresses'], tables: ['whitelisted_addresses', 'address_claims', 'address_codes', 'domain_proofs'] },
  // Agents and conversations queue and send mail through the outbox; the mail feature shows it.
  { folders: ['features/outbox', 'features/mail'], tables: ['outbox_mails'] },
  { folders: ['features/mail'], tables: ['quarantined_mails'] },
  { folders: ['features/notifications'], tables: ['notifications', 'notification_settings', 'push_subscriptions'] },
  {
    folders: ['features/usage'],
    tables: [
      'usage_records',
      'usage_events',
      'usage_months',
      'usage_days',
      'agent_activity',
      'tracked_tasks',
      'mail_days',
      'owner_mail_days',
      'sender_days',
      'storage_usage',
      'stored_bytes',
    ],
  },
  { folders: ['platform/db'], tables: ['_prisma_migrations'] },
  { folders: ['platform/operations', 'platform/db'], tables: ['idempotent_requests'] },
];

/** The folders that may name a table, its owner first; undefined for a table without an owner. */
export function ownersOf(table: string): readonly string[] | undefined {
  return owners.find(({ tables }) => tables.includes(table))?.folders;
}
