import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { CreateIdentityInput } from '@/server/features/accounts/account.schema';
import { createIdentity } from '@/server/features/accounts/account.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import type { ApiKeyActor, SessionActor } from '@/server/platform/actor';
import { hashPassword } from '@/server/platform/auth/password';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { canSendMail } from '@/server/platform/mail/smtp-transport';

/** A unique identity with its owner signed in and an API key. */
export interface TestIdentity {
  identityId: string;
  handle: string;
  owner: { userId: string; email: string; password: string };
  /** The owner in the dashboard. Tests that need the session's row create it (see session.ts). */
  actor: SessionActor & { identityId: string };
  /** A client with `key`. */
  apiKeyActor: ApiKeyActor;
  /** The API key's token. */
  key: string;
}

/** With `existingOwner`, `ownerEmail` and `ownerPassword` are those of another test identity's owner. */
type NewIdentity = Partial<Omit<CreateIdentityInput, 'ownerPassword'>> & { ownerPassword?: string };

const usualPassword = 'correct horse battery';

/** By password, once per process: computing one takes longer than all the rest. */
const hashes = new Map<string, Promise<string>>();

async function createOwner(email: string, password: string): Promise<void> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  // What they send leaves at once, so that tests do not wait.
  await prisma().user.create({
    data: { email, emailVerifiedAt: new Date(), passwordHash: await hash, undoSeconds: 0, emailFormat: 'plain' },
  });
}

/** Creates a fresh identity as the product does. Enterprise by default, so that tests do not reach limits accidentally. */
export async function createTestIdentity(changes: NewIdentity = {}): Promise<TestIdentity> {
  const handle = changes.handle ?? `test-${randomBytes(6).toString('hex')}`;
  const input: CreateIdentityInput & { ownerPassword: string } = {
    handle,
    ownerEmail: `owner@${handle}.example`,
    ownerPassword: usualPassword,
    scope: 'business',
    plan: 'enterprise',
    whitelist: [],
    ...changes,
  };
  const { ownerPassword, ...rest } = input;
  if (!input.existingOwner) await createOwner(input.ownerEmail, ownerPassword);
  const { identityId, ownerUserId } = await createIdentity({ ...rest, existingOwner: true });
  const actor: TestIdentity['actor'] = {
    ...{ kind: 'session' as const, userId: ownerUserId, sessionId: v7(), name: null, isFresh: true },
    ...{ identityId, role: 'owner' as const, lacksTwoFactor: false },
  };
  const { key, apiKey } = await createApiKey(actor, { name: 'Test key', expiresAt: null });
  // The owner's notice about the key is not part of the test.
  if (canSendMail())
    await prisma().outboxMail.deleteMany({ where: { identityId: null, recipients: { equals: [input.ownerEmail] } } });
  // Nor are the events of its first agent and key.
  await pool().query('DELETE FROM event_log WHERE identity_id = $1', [identityId]);
  return {
    identityId,
    handle,
    owner: { userId: ownerUserId, email: input.ownerEmail, password: ownerPassword },
    actor,
    apiKeyActor: {
      kind: 'apiKey',
      apiKeyId: apiKey.id,
      identityId,
      ownerUserId,
      plan: input.plan,
      name: 'Test key',
      scopes: ['*'],
      agent: null,
    },
    key,
  };
}
