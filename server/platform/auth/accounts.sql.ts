/** Who there is, as all features may read it: `FROM ${identities} i`. PostgreSQL plans it as it plans the table. */

export const identities =
  '(SELECT id, handle, display_name, address, plan, profile, owner_user_id, xmin AS row_version FROM identities)';

export const users = '(SELECT id, email, email_verified_at, is_installer FROM users)';

export const apiKeys = '(SELECT id, identity_id, name, last_used_at FROM api_keys)';
