import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  unaudited: ['address_claims', 'address_codes', 'domain_proofs'],
  reference: ['address_claims', 'address_codes', 'domain_proofs'],
};
