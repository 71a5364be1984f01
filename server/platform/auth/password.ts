import { hash, verify } from '@node-rs/argon2';
import { oncePerProcess } from '../process-globals';

/** argon2id with OWASP's first recommendation: 19 MiB, two passes, one lane; about 11 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/**
 * Compares in constant time. Without a hash (unknown account) it verifies against a dummy and returns false, so that timing
 * does not reveal whether an account exists.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash !== null) return verify(passwordHash, password);
  const dummy = await oncePerProcess('dummy-password-hash', () => hashPassword('no account has this password'));
  await verify(dummy, password);
  return false;
}
