import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { addAddress, newDomain, proveByCode, proveDomain, routeOf, withProvableDomains } from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { checkDomainNow } from '../addresses/domain-proof.service';
import { listAddresses, removeWhitelistedAddress, useAsOwnAddress } from '../addresses/further-address.service';
import { listAgentsInput } from '../agents/agent.schema';
import { createAgent, duplicateAgent, getAgent, listAgents, updateAgent } from '../agents/agent.service';
import { moveAgents, removeAgentAddress } from '../agents/agent-domain.service';
import { getReplyDraft } from '../conversations/reply.service';
import { getAgentAddresses, getAgentMail } from './agent-mail.service';
import { routeRecipients } from './own-address.service';

withFreshDatabase();
const dns = withProvableDomains();

/** A business with an address of its own at `old`, and a proven one at `next`. */
async function withTwoDomains() {
  const [old, next] = [newDomain(), newDomain()];
  const identity = await createTestIdentity({ address: `hello@${old}` });
  await addAddress(identity.actor, `hello@${next}`);
  await proveDomain(dns, identity.actor, `hello@${next}`);
  const agent = (await listAgents(identity.actor, listAgentsInput.parse({}))).agents[0];
  if (!agent) throw new Error('Every business starts with an agent.');
  return { ...identity, old, next, agent };
}

const agentOf = async (address: string) => (await routeRecipients(pool(), [address])).get(address)?.agentId;

describe('the addresses of agents', () => {
  test('stay when the business makes another address its own', async () => {
    const { actor, identityId, old, next, agent } = await withTwoDomains();
    await useAsOwnAddress(actor, `hello@${next}`);
    expect((await getAgent(actor, agent.id)).email).toBe(`inbox-manager@${old}`);
    expect(await routeOf(`inbox-manager@${old}`)).toBe(identityId);
    expect(await routeOf(`inbox-manager@${next}`)).toBeUndefined();
    const created = await createAgent(actor, { name: 'Sales', roleId: 'sales', kind: 'helper' });
    expect(created.email).toBe(`sales@${next}`);
    expect(await getAgentMail(actor)).toEqual({
      domains: expect.arrayContaining([
        { domain: old, agents: 1 },
        { domain: next, agents: 1 },
      ]),
      available: [next, old],
      withoutMail: [],
    });
  });

  test('stay when a code alone proves the new one: nothing can move there before its domain is proven', async () => {
    const { handle, actor, identityId } = await createTestIdentity();
    const domain = newDomain();
    await addAddress(actor, `mara@${domain}`);
    await proveByCode(actor, `mara@${domain}`);
    await useAsOwnAddress(actor, `mara@${domain}`);
    expect(await routeOf(`inbox-manager@${handle}.localhost`)).toBe(identityId);
    await expect(moveAgents(actor, domain)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(domain) });
    const inbox = { id: expect.any(String), name: 'Inbox manager', email: `inbox-manager@${handle}.localhost` };
    expect(await getAgentMail(actor)).toMatchObject({ available: [], withoutMail: [{ ...inbox, problem: 'local' }] });
    const { ownDomain } = await listAddresses(actor);
    expect(ownDomain).toMatchObject({ name: domain, record: expect.stringMatching(/^frontdesk-verification=/) });
    dns.records.set(domain, [ownDomain?.record ?? '']);
    await checkDomainNow(actor, `mara@${domain}`);
    expect((await listAddresses(actor)).ownDomain).toBeNull();
    expect(await moveAgents(actor, domain)).toEqual({ moved: 1, kept: [] });
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(identityId);
    expect((await getAgentMail(actor)).withoutMail).toEqual([]);
  });

  test('move when the owner says so; the earlier ones still reach the same agent, and customers are answered from them', async () => {
    const identity = await withTwoDomains();
    const { actor, old, next, agent } = identity;
    const events = await eventsOf(identity, () => moveAgents(actor, next));
    expect(events).toMatchObject([
      {
        type: 'agent.updated',
        data: { object: { email: `inbox-manager@${next}` }, previousAttributes: { email: `inbox-manager@${old}` } },
      },
    ]);
    expect(events[0]?.data.object).toEqual(await getAgent(actor, agent.id));
    for (const domain of [old, next]) {
      const address = `inbox-manager@${domain}`;
      expect(await agentOf(address)).toBe(agent.id);
      const { conversationId } = await deliver({}, { to: address });
      const draft = await getReplyDraft(actor, conversationId);
      expect(draft.agentId).toBe(agent.id);
      expect(draft.senders[0]).toMatchObject({ email: address, reason: 'contextual' });
    }
    const { conversationId } = await deliver({}, { to: `hello@${old}` });
    const { senders } = await getReplyDraft(actor, conversationId);
    expect(senders.map(({ email }) => email)).not.toContain(`inbox-manager@${old}`);
    expect(await eventsOf(identity, () => moveAgents(actor, next))).toEqual([]);
  });

  test('move back, so that the address is no earlier one any more', async () => {
    const { actor, old, next, agent } = await withTwoDomains();
    await moveAgents(actor, next);
    await moveAgents(actor, old);
    expect(await getAgentAddresses(actor, agent.id)).toEqual({
      problem: null,
      earlier: [{ address: `inbox-manager@${next}`, isReached: true, createdAt: expect.any(String) }],
    });
    expect((await getAgent(actor, agent.id)).email).toBe(`inbox-manager@${old}`);
  });

  test('that are in use at the other domain stay where they are', async () => {
    const { actor, old, next } = await withTwoDomains();
    await createAgent(actor, { name: 'Hello', roleId: 'desk', kind: 'helper' });
    await addAddress(actor, `desk@${next}`);
    const kept = { name: 'Hello', email: `desk@${old}` };
    expect(await moveAgents(actor, next)).toEqual({ moved: 1, kept: [kept] });
    expect(await agentOf(`desk@${next}`)).toBeNull();
    expect(await agentOf(`desk@${old}`)).toEqual(expect.any(String));
  });

  test('move once, however many ask at the same time', async () => {
    const identity = await withTwoDomains();
    const { actor, old, next, agent } = identity;
    const events = await eventsOf(identity, () => Promise.all([1, 2, 3].map(() => moveAgents(actor, next))));
    expect(events).toHaveLength(1);
    expect((await getAgentAddresses(actor, agent.id)).earlier.map(({ address }) => address)).toEqual([`inbox-manager@${old}`]);
  });

  test('that are removed bring no mail, and are free for others', async () => {
    const { actor, old, next, agent } = await withTwoDomains();
    const stranger = await createTestIdentity();
    await moveAgents(actor, next);
    const foreign = removeAgentAddress(stranger.actor, agent.id, `inbox-manager@${old}`);
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    await removeAgentAddress(actor, agent.id, `inbox-manager@${old}`);
    await expect(removeAgentAddress(actor, agent.id, `inbox-manager@${next}`)).rejects.toMatchObject({ code: 'not_found' });
    expect(await routeOf(`inbox-manager@${old}`)).toBeUndefined();
    expect(await routeOf(`inbox-manager@${next}`)).toBe(actor.identityId);
  });

  test('are never lost with an alias: the last one that says the domain is the business’ can’t be removed', async () => {
    const [old, next] = [newDomain(), newDomain()];
    const { actor } = await createTestIdentity({
      address: `hello@${old}`,
      whitelist: [{ handle: 'n', address: `hello@${next}` }],
    });
    await useAsOwnAddress(actor, `hello@${next}`);
    const lost = { code: 'conflict', message: expect.stringContaining(`inbox-manager@${old} would stop working.`) };
    await expect(removeWhitelistedAddress(actor, `hello@${old}`)).rejects.toMatchObject(lost);
    await moveAgents(actor, next);
    await expect(removeWhitelistedAddress(actor, `hello@${old}`)).rejects.toMatchObject(lost);
    const agent = (await listAgents(actor, listAgentsInput.parse({}))).agents[0];
    await removeAgentAddress(actor, agent?.id ?? '', `inbox-manager@${old}`);
    await removeWhitelistedAddress(actor, `hello@${old}`);
    expect(await routeOf(`hello@${old}`)).toBeUndefined();
  });

  test('keep a domain that a TXT record has proven, until the last one there is removed', async () => {
    const { actor, old, next, agent } = await withTwoDomains();
    await moveAgents(actor, next);
    await removeWhitelistedAddress(actor, `hello@${next}`);
    expect(await routeOf(`inbox-manager@${next}`)).toBe(actor.identityId);
    await moveAgents(actor, old);
    const proofs = () => pool().query('SELECT 1 FROM domain_proofs WHERE domain = $1', [next]);
    expect((await proofs()).rowCount).toBe(1);
    await removeAgentAddress(actor, agent.id, `inbox-manager@${next}`);
    expect((await proofs()).rowCount).toBe(0);
  });
});

describe('what an agent lacks', () => {
  test('is named: an address of another business, of the business itself, at a domain of another account', async () => {
    const domain = newDomain();
    await createTestIdentity({ address: `one@${domain}` });
    const two = await createTestIdentity({ address: `two@${domain}` });
    const problems = async () => (await getAgentMail(two.actor)).withoutMail.map(({ email, problem }) => [email, problem]);
    expect(await problems()).toEqual([[`inbox-manager@${domain}`, 'taken']]);
    const agent = await createAgent(two.actor, { name: 'Sales', roleId: 'sales', kind: 'helper' });
    await addAddress(two.actor, `sales@${domain}`);
    expect(await problems()).toContainEqual([`sales@${domain}`, 'used_by_business']);
    expect((await getAgentAddresses(two.actor, agent.id)).problem).toBe('used_by_business');
    await updateAgent(two.actor, { agentId: agent.id, status: 'archived' });
    expect(await problems()).toEqual([[`inbox-manager@${domain}`, 'taken']]);
  });

  test('is nothing in a new business without an address outside', async () => {
    const { actor } = await createTestIdentity();
    expect((await getAgentMail(actor)).withoutMail).toEqual([]);
  });
});

test('an address that another identity gives up goes to the agent that waits for it', async () => {
  const domain = newDomain();
  const one = await createTestIdentity({
    address: `one@${domain}`,
    whitelist: [{ handle: 'i', address: `inbox-manager@${domain}` }],
  });
  const two = await createTestIdentity({ address: `two@${domain}` });
  await pool().query('DELETE FROM agents WHERE identity_id = $1', [one.identityId]);
  expect(await routeOf(`inbox-manager@${domain}`)).toBe(one.identityId);
  await removeWhitelistedAddress(one.actor, `inbox-manager@${domain}`);
  expect(await routeOf(`inbox-manager@${domain}`)).toBe(two.identityId);
});

test('a copy of an agent gets its address where new agents do', async () => {
  const { actor, old, next, agent } = await withTwoDomains();
  await moveAgents(actor, next);
  expect((await duplicateAgent(actor, agent.id)).email).toBe(`inbox-manager-copy@${old}`);
});
