import { feature } from '@/server/platform/feature';
import { releaseAddresses } from './address-claim.service';
import { contestedAddressesNotice } from './contested-addresses.service';
import { addressJobs } from './domain-proof.service';

export const addresses = feature({
  name: 'addresses',
  jobs: addressJobs,
  tables: [{ names: ['whitelisted_addresses', 'address_claims', 'address_codes', 'domain_proofs'] }],
  notices: contestedAddressesNotice,
  withdraw: releaseAddresses,
});
