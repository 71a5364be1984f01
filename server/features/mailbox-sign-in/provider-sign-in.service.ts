import { AppError } from '@/server/platform/errors';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { type MailProviderSite, mailProviders } from './mail-provider';
import type { MailProvider } from './mail-provider.schema';
import { clientOf, type KnownClient } from './mailbox-client.service';
import { authorizationRequest, exchangeCode, type SignInSecrets } from './provider-client';

/** A member's visit to a provider of mailboxes. */

/** Its name and its servers. */
export const providerSite = (provider: MailProvider): Pick<MailProviderSite, 'name' | 'imap' | 'smtp'> => mailProviders[provider];

async function requireClient(identityId: string, provider: MailProvider): Promise<KnownClient> {
  const client = await clientOf(identityId, provider);
  if (!client) throw new AppError('conflict', `Set the client at ${mailProviders[provider].name} first.`);
  return client;
}

/** What clients see of a problem at a provider. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof MailboxProblem)) return error;
  return new AppError(error.code === 'unreachable' ? 'unavailable' : 'conflict', error.message);
}

/**
 * Begins a visit.
 * @param username suggested at the provider
 * @returns the provider's page, and what is needed to finish
 * @throws AppError conflict without a client there
 */
export async function beginVisit(
  identityId: string,
  provider: MailProvider,
  username: string,
): Promise<{ url: string; secrets: SignInSecrets }> {
  const client = await requireClient(identityId, provider);
  try {
    return await authorizationRequest(provider, client, username);
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Finishes it.
 * @param query of the page that the provider led back to, undecoded; its `state` was compared
 * @returns tokens, which are not stored yet
 * @throws AppError conflict that says why it was refused; unavailable if the provider can't be reached
 */
export async function finishVisit(
  identityId: string,
  provider: MailProvider,
  query: string,
  secrets: SignInSecrets,
): ReturnType<typeof exchangeCode> {
  const client = await requireClient(identityId, provider);
  try {
    return await exchangeCode(provider, client, query, secrets);
  } catch (error) {
    throw refusalOf(error);
  }
}
