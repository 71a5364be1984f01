import { afterAll, beforeAll } from 'vitest';
import { confirmAddressCode, sendAddressCode } from '@/server/features/addresses/address-code.service';
import { checkDomainNow } from '@/server/features/addresses/domain-proof.service';
import { addWhitelistedAddress, listAddresses } from '@/server/features/addresses/further-address.service';
import { routeRecipients } from '@/server/features/own-addresses/own-address.service';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { startTestDnsServer, type TestDnsServer } from './dns-server';

/** Adds addresses, and proves them as their owners would. */

/** A DNS server for the tests of a file, in which domains can be proven. Codes are mailed to the outbox, and go no further. */
export function withProvableDomains(): TestDnsServer {
  const dns = {} as TestDnsServer;
  beforeAll(async () => {
    Object.assign(dns, await startTestDnsServer());
    overrideEnv({ DNS_SERVERS: [dns.address], SMTP_URL: 'smtp://127.0.0.1:9' });
  });
  afterAll(() => dns.close());
  return dns;
}

let domains = 0;

/** A unique domain. */
export const newDomain = () => `place${++domains}.example`;

export async function addAddress(actor: IdentityActor, address: string): Promise<void> {
  await addWhitelistedAddress(actor, { handle: address.slice(0, 60), address });
}

export async function findAddress(actor: IdentityActor, address: string) {
  const found = (await listAddresses(actor)).addresses.find((each) => each.address === address);
  if (!found) throw new Error(`${address} is not in the list.`);
  return found;
}

export const statusOf = async (actor: IdentityActor, address: string) => (await findAddress(actor, address)).status;

export async function routeOf(address: string): Promise<string | undefined> {
  return (await routeRecipients(pool(), [address])).get(address)?.identityId;
}

/** The last mail to an address. */
export async function mailTo(address: string): Promise<{ id: string; text: string }> {
  const { rows } = await pool().query<{ id: string; text: string }>(
    `SELECT id, mail->>'text' AS text FROM outbox_mails WHERE recipients = ARRAY[$1] ORDER BY id DESC LIMIT 1`,
    [address],
  );
  if (!rows[0]) throw new Error(`Nothing was mailed to ${address}.`);
  return rows[0];
}

export async function codeFor(actor: IdentityActor, address: string): Promise<string> {
  await sendAddressCode(actor, address);
  return /^\d{8}$/m.exec((await mailTo(address)).text)?.[0] ?? '';
}

export async function proveByCode(actor: IdentityActor, address: string): Promise<void> {
  await confirmAddressCode(actor, { address, code: await codeFor(actor, address) });
}

/** Publishes the record of an address' domain. */
export async function publishRecord(dns: TestDnsServer, actor: IdentityActor, address: string): Promise<void> {
  const { domain } = await findAddress(actor, address);
  if (!domain) throw new Error('It has a domain to prove.');
  dns.records.set(domain.name, [...(dns.records.get(domain.name) ?? []), domain.record]);
}

export async function proveDomain(dns: TestDnsServer, actor: IdentityActor, address: string): Promise<void> {
  await publishRecord(dns, actor, address);
  await checkDomainNow(actor, address);
}

/** Adds an address at a new domain. */
export async function addNewAddress(actor: IdentityActor): Promise<string> {
  const address = `sales@${newDomain()}`;
  await addAddress(actor, address);
  return address;
}

/** Adds an address at a new domain that is proven. */
export async function addProvenAddress(dns: TestDnsServer, actor: IdentityActor): Promise<string> {
  const address = await addNewAddress(actor);
  await proveDomain(dns, actor, address);
  return address;
}

/** A code that is not this one. */
export const otherCode = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0');
