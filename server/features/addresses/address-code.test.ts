import { beforeAll, describe, expect, test } from 'vitest';
import { listOutbox } from '@/server/features/mail/outbox-list.service';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { addAddress, codeFor, findAddress, mailTo, newDomain, otherCode, statusOf } from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { confirmAddressCode, sendAddressCode } from './address-code.service';
import { checkDomainNow } from './domain-proof.service';
import { listAddresses, removeWhitelistedAddress, useAsOwnAddress } from './further-address.service';

withFreshDatabase();

beforeAll(() => {
  overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' });
});

describe('a mailed code', () => {
  test('proves its address, once, and is seen by no one but who reads its mail', async () => {
    const { actor, handle } = await createTestIdentity({ displayName: 'Click https://evil.example' });
    const address = `Bob@${newDomain()}`.toLowerCase();
    await addAddress(actor, address);
    const code = await codeFor(actor, address);
    const { text } = await mailTo(address);
    expect(text).toContain(`"${handle}"`);
    expect(text).not.toContain('evil');
    expect((await listOutbox(actor, {})).emails).toEqual([]);
    expect(await findAddress(actor, address)).toMatchObject({ code: { attemptsLeft: 5 } });
    expect(JSON.stringify(await listAddresses(actor))).not.toContain(code);
    const { rows } = await pool().query(`SELECT row_to_json(c)::text AS row FROM address_codes c WHERE address = $1`, [address]);
    expect(rows[0].row).not.toContain(code);
    await confirmAddressCode(actor, { address, code });
    expect(await findAddress(actor, address)).toMatchObject({ status: 'proven', proof: 'code', code: null, domain: null });
    await confirmAddressCode(actor, { address, code: otherCode(code) });
    await expect(sendAddressCode(actor, address)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('has five attempts, also at the same time, and a new one does not bring back the old', async () => {
    const { actor } = await createTestIdentity();
    const address = `guess@${newDomain()}`;
    await addAddress(actor, address);
    const code = await codeFor(actor, address);
    const wrong = () => confirmAddressCode(actor, { address, code: otherCode(code) });
    await expect(wrong()).rejects.toMatchObject({ details: { fields: { code: 'is wrong. 4 attempts are left' } } });
    const results = await Promise.allSettled(Array.from({ length: 20 }, wrong));
    const reasons = results.map((result) => (result.status === 'rejected' ? result.reason.details.fields.code : ''));
    expect(reasons.filter((reason) => reason.startsWith('is wrong'))).toHaveLength(4);
    await expect(confirmAddressCode(actor, { address, code })).rejects.toMatchObject({
      details: { fields: { code: expect.stringContaining('tried too often') } },
    });
    await pool().query(`UPDATE address_codes SET created_at = created_at - interval '2 minutes' WHERE address = $1`, [address]);
    const second = await codeFor(actor, address);
    if (second !== code) await expect(confirmAddressCode(actor, { address, code })).rejects.toMatchObject({ status: 400 });
    await confirmAddressCode(actor, { address, code: second });
    expect(await statusOf(actor, address)).toBe('proven');
  });

  test('expires', async () => {
    const { actor } = await createTestIdentity();
    const address = `late@${newDomain()}`;
    await addAddress(actor, address);
    const code = await codeFor(actor, address);
    await pool().query(`UPDATE address_codes SET expires_at = now() - interval '1 second' WHERE address = $1`, [address]);
    await expect(confirmAddressCode(actor, { address, code })).rejects.toMatchObject({
      details: { fields: { code: expect.stringContaining('has expired') } },
    });
    expect((await findAddress(actor, address)).code).toBeNull();
  });

  test('is sent once a minute and five times a day, also at the same time, and again after the address was removed', async () => {
    const { actor } = await createTestIdentity();
    const address = `often@${newDomain()}`;
    const limited = { code: 'rate_limit_exceeded', status: 429, headers: { 'Retry-After': expect.any(String) } };
    await addAddress(actor, address);
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => sendAddressCode(actor, address)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await removeWhitelistedAddress(actor, address);
    await addAddress(actor, address);
    await expect(sendAddressCode(actor, address)).rejects.toMatchObject(limited);
    for (let time = 1; time < 5; time++) {
      await pool().query(`UPDATE address_codes SET created_at = created_at - interval '2 minutes' WHERE address = $1`, [address]);
      await sendAddressCode(actor, address);
    }
    await pool().query(`UPDATE address_codes SET created_at = created_at - interval '2 minutes' WHERE address = $1`, [address]);
    await expect(sendAddressCode(actor, address)).rejects.toMatchObject(limited);
  });

  test('is sent twenty times a day for one owner and to one address, also at the same time', async () => {
    const [{ actor, owner }, other] = [await createTestIdentity(), await createTestIdentity()];
    const sentEarlier = (by: string, to: string, count: number) =>
      pool().query(
        `INSERT INTO address_codes (id, owner_user_id, address, hash, created_at, expires_at)
          SELECT gen_random_uuid(), $1, $2, '\\x00', now() - interval '2 hours', now() FROM generate_series(1, $3)`,
        [by, to, count],
      );
    const sendAll = async (codes: [IdentityActor, string][]) => {
      const results = await Promise.allSettled(codes.map(([by, to]) => sendAddressCode(by, to)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'rate_limit_exceeded' });
      }
    };
    const addresses = Array.from({ length: 6 }, () => `many@${newDomain()}`);
    for (const address of addresses) await addAddress(actor, address);
    await sentEarlier(owner.userId, `elsewhere@${newDomain()}`, 19);
    await sendAll(addresses.map((address) => [actor, address]));

    const wanted = `wanted@${newDomain()}`;
    await sentEarlier(other.owner.userId, wanted, 19);
    const owners = [];
    for (let number = 0; number < 6; number++) owners.push((await createTestIdentity()).actor);
    for (const each of owners) await addAddress(each, wanted);
    await sendAll(owners.map((each) => [each, wanted]));
  });

  test('can’t be sent without SMTP_URL, and that is said', async () => {
    const { actor } = await createTestIdentity();
    const address = `nomail@${newDomain()}`;
    await addAddress(actor, address);
    overrideEnv({ SMTP_URL: undefined });
    try {
      expect((await listAddresses(actor)).canSendCodes).toBe(false);
      await expect(sendAddressCode(actor, address)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('SMTP_URL is not set'),
      });
    } finally {
      overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' });
    }
  });

  test('of another identity’s address is not found', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const address = `mine@${newDomain()}`;
    await addAddress(one.actor, address);
    const code = await codeFor(one.actor, address);
    const gone = { code: 'not_found' };
    await expect(sendAddressCode(two.actor, address)).rejects.toMatchObject(gone);
    await expect(confirmAddressCode(two.actor, { address, code })).rejects.toMatchObject(gone);
    await expect(checkDomainNow(two.actor, address)).rejects.toMatchObject(gone);
    await expect(useAsOwnAddress(two.actor, address)).rejects.toMatchObject(gone);
    // Another identity that wants the same address gets a different code.
    await addAddress(two.actor, address);
    await expect(confirmAddressCode(two.actor, { address, code })).rejects.toMatchObject({ status: 400 });
  });
});
