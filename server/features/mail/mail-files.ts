import { getAttachment } from '@/server/features/conversations/attachment.service';
import { conversationPrint } from '@/server/features/conversations/conversation-print.service';
import { getMessageFileById } from '@/server/features/conversations/message-file.service';
import { messagePage } from '@/server/features/conversations/message-page.service';
import type { IdentityActor } from '@/server/platform/actor';
import { requireAccess } from '@/server/platform/auth/access';
import { readSession } from '@/server/platform/auth/session';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { mailPageHeaders } from '@/server/platform/html/html-view';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { downloadAnswer } from '../../platform/http/download';
import { outboxMailPage } from './outbox-mail.service';
import { quarantinedContent } from './quarantine.service';

/** The dashboard's downloads: attachments, messages, conversations to print, the HTML of messages and of other sent mail, quarantined messages. Sessions only. */
const mailFilesPrefix = '/api/mail';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function messageHtml(actor: IdentityActor, id: string, query: URLSearchParams): Promise<HttpAnswer> {
  const remoteImages = query.get('images') === '1';
  return { status: 200, headers: mailPageHeaders({ remoteImages }), body: await messagePage(actor, id, remoteImages) };
}

async function messageEml(actor: IdentityActor, id: string): Promise<HttpAnswer> {
  return downloadAnswer(await getMessageFileById(actor, id), {});
}

async function printedConversation(actor: IdentityActor, id: string, query: URLSearchParams): Promise<HttpAnswer> {
  const headers = mailPageHeaders({ remoteImages: false, isPrinted: true });
  return { status: 200, headers, body: await conversationPrint(actor, id, query.get('zone')) };
}

async function outboxHtml(actor: IdentityActor, id: string): Promise<HttpAnswer> {
  // The business' own pictures, such as its logo.
  return { status: 200, headers: mailPageHeaders({ remoteImages: true }), body: await outboxMailPage(actor, id) };
}

async function attachment(actor: IdentityActor, id: string): Promise<HttpAnswer> {
  return downloadAnswer(await getAttachment(actor, id), {});
}

async function quarantined(actor: IdentityActor, id: string): Promise<HttpAnswer> {
  const file = await quarantinedContent(actor, id);
  return downloadAnswer({ ...file, contentType: 'application/octet-stream' }, {});
}

type Answer = (actor: IdentityActor, id: string, query: URLSearchParams) => Promise<HttpAnswer>;

function answerFor(path: string): { answer: Answer; id: string } {
  const [kind, id = '', rest, ...more] = path.split('/').slice(1);
  const known: Record<string, Answer> = {
    attachments: attachment,
    'conversations/print': printedConversation,
    'messages/html': messageHtml,
    'messages/eml': messageEml,
    'outbox/html': outboxHtml,
    quarantine: quarantined,
  };
  const name = rest === undefined ? `${kind}` : `${kind}/${rest}`;
  const answer = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!answer || more.length > 0 || !uuidPattern.test(id)) throw notFound();
  return { answer, id };
}

async function actorOf(request: HttpRequest, query: URLSearchParams): Promise<IdentityActor> {
  const [identityId = null, ...others] = query.getAll('identity');
  if (others.length > 0) throw invalidFields({ identity: 'is given more than once' });
  const actor = await readSession(request.headers.get('cookie'), identityId);
  if (!actor) throw new AppError('signed_out', 'Sign in to go on.');
  if (actor.identityId === null) throw notFound();
  requireAccess(actor, { scope: 'conversations:read' });
  return actor as IdentityActor;
}

/**
 * `/api/mail/attachments/{id}`, `/api/mail/conversations/{id}/print`, `/api/mail/messages/{id}/eml` and `…/html`,
 * `/api/mail/outbox/{id}/html` and `/api/mail/quarantine/{id}`.
 */
export const mailFilesRoute: HttpRoute = {
  prefix: mailFilesPrefix,
  methods: 'GET, HEAD',
  async answer(request) {
    const query = new URLSearchParams(request.query);
    const { answer, id } = answerFor(request.pathname.slice(mailFilesPrefix.length));
    return answer(await actorOf(request, query), id, query);
  },
};
