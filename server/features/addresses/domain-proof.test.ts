import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import {
  addAddress,
  findAddress,
  newDomain,
  proveDomain,
  publishRecord,
  routeOf,
  statusOf,
  withProvableDomains,
} from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { sendAddressCode } from './address-code.service';
import { checkDomainNow, checkDueDomains } from './domain-proof.service';
import { removeWhitelistedAddress } from './further-address.service';

withFreshDatabase();
const dns = withProvableDomains();

const foreignDomain = { code: 'conflict', status: 409, message: expect.stringMatching(/^Another account here has proven/) };

describe('a TXT record', () => {
  test('proves every address at its domain, now and later, for its owner alone', async () => {
    const [owner, stranger] = [await createTestIdentity(), await createTestIdentity()];
    const domain = newDomain();
    await addAddress(owner.actor, `a@${domain}`);
    await addAddress(stranger.actor, `b@${domain}`);
    await checkDomainNow(owner.actor, `a@${domain}`);
    expect((await findAddress(owner.actor, `a@${domain}`)).domain).toMatchObject({
      name: domain,
      record: expect.stringMatching(/^frontdesk-verification=[0-9a-f]{40}$/),
      problem: expect.stringContaining('has no frontdesk-verification record yet'),
      checkedAt: expect.any(String),
      nextCheckAt: expect.any(String),
    });
    await expect(checkDomainNow(owner.actor, `a@${domain}`)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    // One owner's record does not prove the domain for another.
    await publishRecord(dns, owner.actor, `a@${domain}`);
    await checkDomainNow(stranger.actor, `b@${domain}`);
    expect((await findAddress(stranger.actor, `b@${domain}`)).domain?.problem).toContain('with another value');
    await pool().query(`UPDATE domain_proofs SET checked_at = NULL WHERE domain = $1`, [domain]);
    await checkDomainNow(owner.actor, `a@${domain}`);
    expect(await findAddress(owner.actor, `a@${domain}`)).toMatchObject({ status: 'proven', proof: 'dns' });
    await addAddress(owner.actor, `later@${domain}`);
    expect(await statusOf(owner.actor, `later@${domain}`)).toBe('proven');
    expect(await statusOf(stranger.actor, `b@${domain}`)).toBe('refused');
    await expect(addAddress(stranger.actor, `c@${domain}`)).rejects.toMatchObject(foreignDomain);
    await expect(sendAddressCode(stranger.actor, `b@${domain}`)).rejects.toMatchObject(foreignDomain);
    // A second identity of the same owner may use the domain as well.
    const second = await createTestIdentity({ existingOwner: true, ownerEmail: owner.owner.email });
    await addAddress(second.actor, `second@${domain}`);
    expect(await statusOf(second.actor, `second@${domain}`)).toBe('proven');
  });

  test('of two owners with a record each, one has the domain', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const domain = newDomain();
    await addAddress(one.actor, `a@${domain}`);
    await addAddress(two.actor, `b@${domain}`);
    await publishRecord(dns, one.actor, `a@${domain}`);
    await publishRecord(dns, two.actor, `b@${domain}`);
    await Promise.all([checkDomainNow(one.actor, `a@${domain}`), checkDomainNow(two.actor, `b@${domain}`)]);
    const found = [await findAddress(one.actor, `a@${domain}`), await findAddress(two.actor, `b@${domain}`)];
    expect(found.map(({ status }) => status).sort()).toEqual(['proven', 'refused']);
    expect(found.find(({ status }) => status === 'refused')?.domain?.problem).toMatch(/^Another account has proven/);
  });

  test('is looked for again by a job, less and less often, each domain by one server', async () => {
    const { actor } = await createTestIdentity();
    const domain = newDomain();
    await addAddress(actor, `a@${domain}`);
    const due = () =>
      pool().query(`UPDATE domain_proofs SET next_check_at = now() - interval '1 second' WHERE domain = $1`, [domain]);
    const pause = async () => {
      const { rows } = await pool().query(
        `SELECT round(extract(epoch FROM next_check_at - checked_at) / 60)::int AS minutes FROM domain_proofs WHERE domain = $1`,
        [domain],
      );
      return rows[0].minutes;
    };
    const pauses: number[] = [];
    for (let time = 0; time < 3; time++) {
      await due();
      await checkDueDomains();
      pauses.push(await pause());
    }
    expect(pauses).toEqual([1, 2, 5]);
    dns.asked.length = 0;
    await due();
    await publishRecord(dns, actor, `a@${domain}`);
    await Promise.all([checkDueDomains(), checkDueDomains(), checkDueDomains()]);
    expect(dns.asked.filter((name) => name === domain)).toHaveLength(1);
    expect(await statusOf(actor, `a@${domain}`)).toBe('proven');
    // The log names no author.
    const { entries } = await listAudit(actor, listAuditInput.parse({ resource: 'address', action: 'updated' }));
    expect(entries[0]?.author).toMatchObject({ kind: 'system', name: 'addresses' });
  });

  test('is left to the next server by one that stops, with nothing noted', async () => {
    const { actor } = await createTestIdentity();
    const domain = newDomain();
    await addAddress(actor, `a@${domain}`);
    await pool().query(`UPDATE domain_proofs SET next_check_at = CASE WHEN domain = $1 THEN now() - interval '1 second' END`, [
      domain,
    ]);
    dns.silent.add(domain);
    const stopping = new AbortController();
    const checking = checkDueDomains(stopping.signal);
    await expect.poll(() => dns.asked).toContain(domain);
    stopping.abort();
    await checking;
    dns.silent.delete(domain);
    const { rows } = await pool().query(
      'SELECT checks, problem, next_check_at <= now() AS "isDue" FROM domain_proofs WHERE domain = $1',
      [domain],
    );
    expect(rows).toEqual([{ checks: 0, problem: null, isDue: true }]);
  });

  test('is given up after a month, and looked for again when it is asked for', async () => {
    const { actor } = await createTestIdentity();
    const domain = newDomain();
    await addAddress(actor, `a@${domain}`);
    await pool().query(
      `UPDATE domain_proofs SET next_check_at = now() - interval '1 second', created_at = now() - interval '31 days' WHERE domain = $1`,
      [domain],
    );
    await checkDueDomains();
    expect((await findAddress(actor, `a@${domain}`)).domain?.nextCheckAt).toBeNull();
    await pool().query(`UPDATE domain_proofs SET checked_at = NULL WHERE domain = $1`, [domain]);
    await proveDomain(dns, actor, `a@${domain}`);
    expect(await statusOf(actor, `a@${domain}`)).toBe('proven');
  });

  test('makes what was never proven give way', async () => {
    const [owner, stranger] = [await createTestIdentity(), await createTestIdentity()];
    const domain = newDomain();
    await addAddress(stranger.actor, `old@${domain}`);
    await pool().query(
      `UPDATE whitelisted_addresses SET status = 'proven', proof = 'earlier', proven_at = now() WHERE address = $1`,
      [`old@${domain}`],
    );
    await addAddress(owner.actor, `a@${domain}`);
    await proveDomain(dns, owner.actor, `a@${domain}`);
    expect(await statusOf(stranger.actor, `old@${domain}`)).toBe('contested');
    expect(await routeOf(`old@${domain}`)).toBeUndefined();
    await addAddress(owner.actor, `old@${domain}`);
    expect(await routeOf(`old@${domain}`)).toBe(owner.identityId);
  });

  test('is worth nothing once its owner has no address at the domain any more', async () => {
    const [owner, next] = [await createTestIdentity(), await createTestIdentity()];
    const domain = newDomain();
    await addAddress(owner.actor, `a@${domain}`);
    await proveDomain(dns, owner.actor, `a@${domain}`);
    await removeWhitelistedAddress(owner.actor, `a@${domain}`);
    await addAddress(next.actor, `a@${domain}`);
    expect(await statusOf(next.actor, `a@${domain}`)).toBe('pending');
  });
});
