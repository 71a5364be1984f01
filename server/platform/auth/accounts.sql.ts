/**
 * Identities that exist for their users, readable by all features: `FROM ${identities} i`. PostgreSQL plans it like the plain
 * table.
 */
export const identities =
  '(SELECT id, handle, display_name, address, plan, profile, owner_user_id, created_at, xmin AS row_version FROM identities WHERE erased_at IS NULL)';

export const users =
  '(SELECT id, email, display_name, email_verified_at, is_installer, language, time_zone, undo_seconds, email_format FROM users)';

/** The owners of identities. */
export const owners = `(SELECT identity_id, user_id FROM memberships WHERE role = 'owner')`;

/** Who works for which business. */
export const memberships = '(SELECT identity_id, user_id, role, signature FROM memberships)';

/** What colleagues call a person of `users u`. */
export const userName = `coalesce(nullif(btrim(u.display_name), ''), u.email)`;

/** The same in records that every key may read: without a name, what is before the @ of the address. */
export const publicUserName = `coalesce(nullif(btrim(u.display_name), ''), split_part(u.email, '@', 1))`;

export const apiKeys = '(SELECT id, identity_id, name, agent_id, last_used_at FROM api_keys)';
