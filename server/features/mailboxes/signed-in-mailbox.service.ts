import { randomBytes } from 'node:crypto';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { isSameText } from '@/server/platform/auth/same-text';
import { sealedCookie } from '@/server/platform/auth/sealed-cookie';
import { consumeSingleSignOn } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import type { MailProvider } from '../mailbox-sign-in/mail-provider.schema';
import { keepTokens } from '../mailbox-sign-in/mailbox-login.service';
import { beginVisit, finishVisit, providerSite } from '../mailbox-sign-in/provider-sign-in.service';
import { toMailbox } from './mailbox.record';
import type { BeginSignInInput, Mailbox } from './mailbox.schema';
import { insertMailbox, mailboxVersion, readAgain, requireMailbox } from './mailbox.service';
import { countCheck, tryOut } from './mailbox-check.service';

/**
 * Mailboxes at Google and Microsoft that a member signs in to there, instead of entering a password (docs/adr/0045). What the visit is for is
 * in a sealed cookie of the browser that began, so that an answer works for that person, in that browser, and once.
 */

type Member = SessionActor & IdentityActor;

/** What is to be connected, or the mailbox that is to be signed in to again. */
interface Purpose {
  provider: MailProvider;
  address: string;
  username: string;
  folder: string;
  sends: boolean;
  importDays: number;
  /** Null for a new one. */
  mailboxId: string | null;
}

interface Visit {
  id: string;
  userId: string;
  identityId: string;
  purpose: Purpose;
  secrets: Awaited<ReturnType<typeof beginVisit>>['secrets'];
}

/** Ten minutes for signing in at the provider. */
const visitSeconds = 600;

const visitCookie = sealedCookie<Visit>('mailbox', visitSeconds);

/** A `Set-Cookie` value that forgets the visit. */
export const clearVisit = () => visitCookie.clear();

/** Where the browser goes, and the cookie that it needs when it comes back. */
export interface Onwards {
  url: string;
  cookie: string;
}

async function begin({ userId, identityId }: Member, purpose: Purpose): Promise<Onwards> {
  const { url, secrets } = await beginVisit(identityId, purpose.provider, purpose.username);
  const id = randomBytes(16).toString('base64url');
  return { url, cookie: visitCookie.write({ id, userId, identityId, purpose, secrets }) };
}

/** Begins signing in to a new mailbox. @throws AppError conflict without a client at the provider */
export function beginSignIn(actor: Member, { username, ...input }: BeginSignInInput): Promise<Onwards> {
  return begin(actor, { ...input, username: username ?? input.address, mailboxId: null });
}

/** Begins signing in to a mailbox again. @throws AppError not_found; conflict for one with a password */
export async function beginSignInAgain(actor: Member, mailboxId: string): Promise<Onwards> {
  const { provider, address, username, folder, importDays, smtpHost } = await requireMailbox(pool(), actor.identityId, mailboxId);
  if (provider === null) throw new AppError('conflict', 'This mailbox has a password.');
  return begin(actor, { provider, address, username, folder, importDays, sends: smtpHost !== null, mailboxId });
}

/** The visit that an answer belongs to, which is used up. @throws AppError conflict if there is none */
async function takeVisit({ userId, identityId }: Member, query: string, cookies: string | null): Promise<Visit> {
  const visit = visitCookie.read(cookies)?.value;
  const state = new URLSearchParams(query).get('state');
  const isOurs = visit?.userId === userId && visit.identityId === identityId && isSameText(state ?? '', visit.secrets.state);
  if (visit && isOurs && (await consumeSingleSignOn(visit.id))) return visit;
  throw new AppError('conflict', 'This sign-in was not begun in this browser, took too long, or was used before. Try again.');
}

/**
 * Acts on the provider's answer: the mailbox is tried out, and stored if emails can be read, and sent where that is wanted.
 *
 * @param query of the page that the provider led back to, undecoded
 * @param cookies the browser's `Cookie` header
 * @throws AppError conflict that says why not; unavailable if the provider can't be reached; not_found for one that is disconnected by now;
 * rate_limit_exceeded after thirty in an hour
 */
export async function finishSignIn(actor: Member, query: string, cookies: string | null): Promise<Mailbox> {
  const { identityId } = actor;
  const { purpose, secrets } = await takeVisit(actor, query, cookies);
  const { provider, mailboxId, username, folder } = purpose;
  await countCheck(identityId);
  const tokens = await finishVisit(identityId, provider, query, secrets);
  const { imap, smtp } = providerSite(provider);
  const login = { username, accessToken: tokens.accessToken };
  const outgoing = purpose.sends ? { ...smtp, username } : null;
  const { problem, outgoingProblem } = await tryOut({ ...imap, ...login }, folder, outgoing && { ...outgoing, ...login });
  const found = problem ?? outgoingProblem;
  if (found) throw new AppError('conflict', found.message);
  return transaction(actor, async (client) => {
    if (mailboxId === null) {
      const { address, importDays } = purpose;
      const mailbox = { ...imap, address, username, folder, importDays, outgoing, provider, password: null };
      const created = await insertMailbox(client, identityId, mailbox);
      await keepTokens(client, { identityId, mailboxId: created.id, provider }, tokens);
      return created;
    }
    await mailboxVersion.lock(client, actor, { mailboxId });
    await requireMailbox(client, identityId, mailboxId);
    await keepTokens(client, { identityId, mailboxId, provider }, tokens);
    await readAgain(client, identityId, mailboxId, false);
    return toMailbox(await requireMailbox(client, identityId, mailboxId));
  });
}
