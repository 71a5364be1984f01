/** The addresses of identities, for queries of other features. */

export const addressClaims = '(SELECT identity_id, address FROM address_claims)';

export const whitelistedAddresses = '(SELECT id, identity_id, address, status, created_at FROM whitelisted_addresses)';

export const domainProofs = '(SELECT owner_user_id, domain, proven_at FROM domain_proofs)';
