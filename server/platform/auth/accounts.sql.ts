/** Identities, readable by all features: `FROM ${identities} i`. PostgreSQL plans it like the plain table. */

export const identities =
  '(SELECT id, handle, display_name, address, plan, profile, owner_user_id, xmin AS row_version FROM identities)';

export const users = '(SELECT id, email, email_verified_at, is_installer FROM users)';

export const apiKeys = '(SELECT id, identity_id, name, last_used_at FROM api_keys)';
