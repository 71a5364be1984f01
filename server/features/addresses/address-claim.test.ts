import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import {
  addAddress,
  codeFor,
  findAddress,
  newDomain,
  proveByCode,
  proveDomain,
  routeOf,
  statusOf,
  withProvableDomains,
} from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import type { TestIdentity } from '@/server/testing/identity';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { createAgent } from '../agents/agent.service';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { getReplyDraft } from '../conversations/reply.service';
import { getIdentity } from '../identity/identity.service';
import { getAgentMail } from '../own-addresses/agent-mail.service';
import { confirmAddressCode, sendAddressCode } from './address-code.service';
import { verifyAddress } from './address-operator.service';
import { checkDomainNow } from './domain-proof.service';
import { listAddresses, removeWhitelistedAddress, useAsOwnAddress } from './further-address.service';

withFreshDatabase();
const dns = withProvableDomains();

const taken = { code: 'conflict', status: 409, message: expect.stringMatching(/^Another business here uses/) };

describe('addresses of others', () => {
  test('an agent’s can’t be claimed: its mail stays its business’', async () => {
    const acme = await createTestIdentity({ address: 'hello@acme.test' });
    const stranger = await createTestIdentity();
    await expect(addAddress(stranger.actor, 'inbox-manager@acme.test')).rejects.toMatchObject(taken);
    await createAgent(acme.actor, { name: 'Sales', roleId: 'sales', kind: 'helper' });
    await expect(addAddress(stranger.actor, 'sales@acme.test')).rejects.toMatchObject(taken);
    expect((await listAddresses(stranger.actor)).addresses).toEqual([]);
    expect((await deliver({}, { to: 'inbox-manager@acme.test' })).identityId).toBe(acme.identityId);
    await expect(addAddress(stranger.actor, `inbox-manager@${acme.handle}.localhost`)).rejects.toMatchObject({ status: 409 });
  });

  test('at a foreign domain bring nothing and send nothing until they are proven', async () => {
    const domain = newDomain();
    await createTestIdentity({ address: `hello@${domain}` });
    const stranger = await createTestIdentity({ address: `me@${newDomain()}` });
    await addAddress(stranger.actor, `ceo@${domain}`);
    expect(await findAddress(stranger.actor, `ceo@${domain}`)).toMatchObject({ status: 'pending', proof: null, provenAt: null });
    expect(await routeOf(`ceo@${domain}`)).toBeUndefined();
    const { conversationId } = await deliver({}, { to: (await getIdentity(stranger.actor)).address ?? '' });
    const { senders } = await getReplyDraft(stranger.actor, conversationId);
    expect(senders.map(({ email }) => email)).not.toContain(`ceo@${domain}`);
    expect((await getIdentity(stranger.actor)).whitelistedAddresses?.[0]?.status).toBe('pending');
  });

  test('a pending claim stands in no one’s way, and is refused once another one proves the address', async () => {
    const [squatter, owner] = [await createTestIdentity(), await createTestIdentity()];
    const address = `info@${newDomain()}`;
    await addAddress(squatter.actor, address);
    await addAddress(owner.actor, address);
    const code = await codeFor(squatter.actor, address);
    await proveByCode(owner.actor, address);
    expect(await statusOf(owner.actor, address)).toBe('proven');
    expect(await statusOf(squatter.actor, address)).toBe('refused');
    expect((await getIdentity(squatter.actor)).whitelistedAddresses?.[0]?.status).toBe('refused');
    await expect(confirmAddressCode(squatter.actor, { address, code })).rejects.toMatchObject(taken);
    await expect(sendAddressCode(squatter.actor, address)).rejects.toMatchObject(taken);
    expect(await routeOf(address)).toBe(owner.identityId);
    // The other identity's log has no entry about it.
    const { entries } = await listAudit(squatter.actor, listAuditInput.parse({ resource: 'address' }));
    expect(entries.map(({ action }) => action)).toEqual(['created']);
    await removeWhitelistedAddress(owner.actor, address);
    expect(await statusOf(squatter.actor, address)).toBe('pending');
  });

  test('of two who prove one at the same moment, one has it', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await createTestIdentity(), await createTestIdentity()];
      const address = `raced@${newDomain()}`;
      await addAddress(one.actor, address);
      await addAddress(two.actor, address);
      const codes = [await codeFor(one.actor, address), await codeFor(two.actor, address)];
      const results = await Promise.allSettled([
        confirmAddressCode(one.actor, { address, code: codes[0] ?? '' }),
        confirmAddressCode(two.actor, { address, code: codes[1] ?? '' }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const winner = results[0]?.status === 'fulfilled' ? one : two;
      expect(await routeOf(address)).toBe(winner.identityId);
      const statuses = [await statusOf(one.actor, address), await statusOf(two.actor, address)];
      expect(statuses.sort()).toEqual(['proven', 'refused']);
    }
  });

  test('are refused by the database itself, whatever a service forgets', async () => {
    const [one, two] = [await createTestIdentity({ address: `one@${newDomain()}` }), await createTestIdentity()];
    const address = `shared@${newDomain()}`;
    const prove = ({ identityId }: TestIdentity, wanted: string) =>
      pool().query(
        `INSERT INTO whitelisted_addresses (id, identity_id, handle, address, status, proof, proven_at)
          VALUES (gen_random_uuid(), $1, $2, $3, 'proven', 'operator', now())`,
        [identityId, wanted.split('@')[0], wanted],
      );
    await prove(one, address);
    const isTaken = { code: '23505', constraint: 'address_claims_pkey' };
    await expect(prove(two, address)).rejects.toMatchObject(isTaken);
    const own = (await getIdentity(one.actor)).address ?? '';
    await expect(prove(two, own)).rejects.toMatchObject(isTaken);
    await expect(prove(two, `inbox-manager@${own.split('@')[1]}`)).rejects.toMatchObject(isTaken);
    const update = `UPDATE identities SET address = $2, address_proof = 'operator' WHERE id = $1`;
    await expect(pool().query(update, [two.identityId, address])).rejects.toMatchObject(isTaken);
    expect(await routeOf(address)).toBe(one.identityId);
  });

  test('an agent can’t be created at one, and is copied past it', async () => {
    const domain = newDomain();
    const one = await createTestIdentity({ address: `one@${domain}`, whitelist: [{ handle: 's', address: `sales@${domain}` }] });
    const two = await createTestIdentity({ address: `two@${domain}` });
    const agent = { name: 'Sales', roleId: 'sales', kind: 'helper' };
    await expect(createAgent(two.actor, agent)).rejects.toMatchObject(taken);
    await createAgent(one.actor, agent);
    const raced = { name: 'Raced', roleId: 'raced', kind: 'helper' };
    const results = await Promise.allSettled([createAgent(one.actor, raced), createAgent(two.actor, raced)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // Every identity starts with this agent, so the second identity of a domain gets none of its mail.
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(one.identityId);
  });

  test('an agent who waits for an address gets it when it comes free', async () => {
    const domain = newDomain();
    const one = await createTestIdentity({ address: `one@${domain}` });
    const two = await createTestIdentity({ address: `two@${domain}` });
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(one.identityId);
    await pool().query(`DELETE FROM agents WHERE identity_id = $1`, [one.identityId]);
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(two.identityId);
  });
});

describe('whose word counts', () => {
  test('what the owner of the installation adds is proven, unless it is another’s', async () => {
    const installer: TestIdentity = await createTestIdentity();
    await pool().query('UPDATE users SET is_installer = true WHERE id = $1', [installer.owner.userId]);
    const address = `sales@${newDomain()}`;
    await addAddress(installer.actor, address);
    expect(await findAddress(installer.actor, address)).toMatchObject({ status: 'proven', proof: 'setup' });
    const acme = await createTestIdentity({ address: `hello@${newDomain()}` });
    const theirs = (await getIdentity(acme.actor)).address?.replace('hello', 'inbox-manager') ?? '';
    await expect(addAddress(installer.actor, theirs)).rejects.toMatchObject(taken);
  });

  test('an identity has its own .localhost domain, and no other', async () => {
    const { actor, handle } = await createTestIdentity();
    await addAddress(actor, `sales@${handle}.localhost`);
    expect(await statusOf(actor, `sales@${handle}.localhost`)).toBe('proven');
    await addAddress(actor, 'sales@nobody-has-this.localhost');
    expect(await findAddress(actor, 'sales@nobody-has-this.localhost')).toMatchObject({ status: 'pending', domain: null });
    await expect(checkDomainNow(actor, 'sales@nobody-has-this.localhost')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('the operator verifies an address, and takes one from another business by force only', async () => {
    const domain = newDomain();
    const acme = await createTestIdentity({
      address: `hello@${domain}`,
      whitelist: [{ handle: 's', address: `sales@${domain}` }],
    });
    const [two, force] = [await createTestIdentity({ address: `two@${domain}` }), { identity: '', force: true }];
    const address = `support@${domain}`;
    await addAddress(two.actor, address);
    const verified = { identityId: two.identityId, address, status: 'proven' };
    expect(await verifyAddress({ identity: two.handle, address, force: false })).toEqual(verified);
    expect(await findAddress(two.actor, address)).toMatchObject({ status: 'proven', proof: 'operator' });
    const create = (wanted: string, isForced: boolean) =>
      createTestIdentity({ whitelist: [{ handle: 'w', address: wanted }], force: isForced });
    await expect(create(`sales@${domain}`, false)).rejects.toMatchObject({
      message: `sales@${domain} is in use by ${acme.handle}, as a further address. Add --force to take it over.`,
    });
    await expect(create(`inbox-manager@${domain}`, false)).rejects.toMatchObject({
      message: `inbox-manager@${domain} is in use by ${acme.handle}, as the address of its agent. Add --force to take it over.`,
    });
    const third = await create(`sales@${domain}`, true);
    expect(await routeOf(`sales@${domain}`)).toBe(third.identityId);
    expect(await statusOf(acme.actor, `sales@${domain}`)).toBe('contested');
    const fourth = await create(`inbox-manager@${domain}`, true);
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(fourth.identityId);
    const back = await verifyAddress({ ...force, identity: acme.handle, address: `sales@${domain}` });
    expect(back).toMatchObject({ status: 'proven', takenFrom: third.handle });
    await expect(create(`hello@${domain}`, true)).rejects.toMatchObject({ message: expect.stringContaining('can’t be taken') });
    await expect(verifyAddress({ ...force, identity: acme.handle, address: 'no@x.example' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(verifyAddress({ ...force, identity: 'nobody-here', address })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the own address', () => {
  test('is changed to a proven one; the old one stays, and so do the agents’', async () => {
    const [old, next] = [newDomain(), newDomain()];
    const { actor, identityId } = await createTestIdentity({ address: `hello@${old}` });
    await addAddress(actor, `hello@${next}`);
    await expect(useAsOwnAddress(actor, `hello@${next}`)).rejects.toMatchObject({ code: 'conflict' });
    await proveDomain(dns, actor, `hello@${next}`);
    await useAsOwnAddress(actor, `hello@${next}`);
    const identity = await getIdentity(actor);
    expect(identity.address).toBe(`hello@${next}`);
    expect(identity.whitelistedAddresses).toEqual([
      { handle: 'hello', address: `hello@${old}`, description: null, status: 'proven' },
    ]);
    const routes = [`hello@${old}`, `hello@${next}`, `inbox-manager@${old}`, `inbox-manager@${next}`];
    expect(await Promise.all(routes.map(routeOf))).toEqual([identityId, identityId, identityId, undefined]);
    await useAsOwnAddress(actor, `hello@${old}`);
    expect(await Promise.all(routes.map(routeOf))).toEqual([identityId, identityId, identityId, undefined]);
  });

  test('that is proven by a code gives no agent an address at its domain, before the domain is proven', async () => {
    const domain = newDomain();
    const { actor, handle, identityId } = await createTestIdentity();
    await addAddress(actor, `bob@${domain}`);
    await proveByCode(actor, `bob@${domain}`);
    await useAsOwnAddress(actor, `bob@${domain}`);
    await createAgent(actor, { name: 'Chief', roleId: 'ceo', kind: 'helper' });
    expect(await routeOf(`ceo@${domain}`)).toBeUndefined();
    expect((await getAgentMail(actor)).withoutMail).toMatchObject([
      { name: 'Chief', email: `ceo@${domain}`, problem: 'domain_not_proven' },
      { name: 'Inbox manager', email: `inbox-manager@${handle}.localhost`, problem: 'local' },
    ]);
    const { conversationId } = await deliver({}, { to: `bob@${domain}` });
    const senders = (await getReplyDraft(actor, conversationId)).senders.map(({ email }) => email);
    expect(senders).toEqual([`bob@${domain}`, `inbox-manager@${handle}.localhost`]);
    await addAddress(actor, `any@${domain}`);
    await proveDomain(dns, actor, `any@${domain}`);
    expect(await routeOf(`ceo@${domain}`)).toBe(identityId);
  });

  test('is another’s nowhere while it changes', async () => {
    const domain = newDomain();
    const one = await createTestIdentity({
      address: `one@${domain}`,
      whitelist: [{ handle: 'im', address: `inbox-manager@${domain}` }],
    });
    await createTestIdentity({ address: `two@${domain}` });
    await useAsOwnAddress(one.actor, `inbox-manager@${domain}`);
    expect(await routeOf(`inbox-manager@${domain}`)).toBe(one.identityId);
    expect(await routeOf(`one@${domain}`)).toBe(one.identityId);
  });
});
