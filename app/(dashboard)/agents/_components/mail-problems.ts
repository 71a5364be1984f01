import type { MailProblem } from '@/server/features/own-addresses/agent-mail.schema';

/** Why an agent can't use its email address, and what to do. */
export const mailProblemTexts: Record<MailProblem, string> = {
  taken: 'Another business uses this address.',
  used_by_business: 'The business uses this address itself.',
  domain_of_another: 'Another account has verified this domain.',
  domain_not_proven: 'Verify the domain with its TXT record. A code verifies only one address.',
  local: 'Addresses that end in .localhost receive no email from outside.',
};

/** Where agents' addresses are put right. */
export const agentAddressesHref = '/identity#agent-addresses';
