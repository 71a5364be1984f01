import * as z from 'zod';
import { emailAddress, recordId, timestamp, uuid } from '@/server/platform/fields.schema';

/** The addresses of agents, and why some bring no mail. */

/**
 * `taken`: another business has the address. `used_by_business`: the business has it as its own or an alias. `domain_of_another`:
 * another account has proven the domain. `domain_not_proven`: nobody has, for all its addresses. `local`: it is at a domain of
 * this installation, while the business has an address outside.
 */
export const mailProblems = ['taken', 'used_by_business', 'domain_of_another', 'domain_not_proven', 'local'] as const;

export type MailProblem = (typeof mailProblems)[number];

const agentWithoutMail = z.object({ id: recordId, name: z.string(), email: z.string(), problem: z.enum(mailProblems) });

export type AgentWithoutMail = z.output<typeof agentWithoutMail>;

export const agentMailSchema = z.object({
  /** Domains of the agents' addresses, archived agents apart; most used first. */
  domains: z.array(z.object({ domain: z.string(), agents: z.int() })),
  /** Domains that agents can move to; that of the business' own address first. */
  available: z.array(z.string()),
  /** Agents whose current address receives no mail from outside; archived ones apart. */
  withoutMail: z.array(agentWithoutMail),
});

export type AgentMail = z.output<typeof agentMailSchema>;

export const agentAddressesSchema = z.object({
  /** Null if the current address receives mail. */
  problem: z.enum(mailProblems).nullable(),
  /** Earlier addresses, newest first. */
  earlier: z.array(z.object({ address: z.string(), isReached: z.boolean(), createdAt: timestamp })),
});

export type AgentAddresses = z.output<typeof agentAddressesSchema>;

export const moveAgentsInput = z.object({ domain: z.string().trim().toLowerCase().min(1).max(253) });

export const movedAgentsSchema = z.object({
  moved: z.int(),
  kept: z.array(z.object({ name: z.string(), email: z.string() })),
});

export const removeAgentAddressInput = z.object({ agentId: uuid, address: emailAddress });
