import { getAttachment } from '@/server/features/conversations/attachment.service';
import { getMessage } from '@/server/features/conversations/conversation.service';
import type { IdentityActor } from '@/server/platform/actor';
import { readSession } from '@/server/platform/auth/session';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { mailPage, mailPageHeaders } from '@/server/platform/mail/html-view';
import { downloadAnswer } from '../../platform/http/download';
import { errorAnswer } from '../../platform/http/error-answer';
import { requestIdOf } from '../../platform/http/request-id';
import type { RestAnswer, RestRequest } from '../../platform/rest/http-message';
import { quarantinedContent } from './quarantine.service';

/** Where the dashboard gets what is no JSON: attachments, the HTML of messages, quarantined messages. Sessions only. */
export const mailFilesPrefix = '/api/mail';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The address of an attachment for the dashboard of an identity. */
function attachmentAddress(identityId: string, attachmentId: string): string {
  return `${mailFilesPrefix}/attachments/${attachmentId}?identity=${identityId}`;
}

/** A message's HTML as a page of its own, for a frame without scripts. */
async function messagePage(actor: IdentityActor, id: string, query: URLSearchParams): Promise<RestAnswer> {
  const message = await getMessage(actor, id);
  if (message.html === null) throw notFound();
  const remoteImages = query.get('images') === '1';
  const byContentId = new Map(message.attachments.map((attachment) => [attachment.contentId, attachment.id]));
  const { page } = mailPage({
    html: message.html,
    remoteImages,
    imageUrlOf: (contentId) => {
      const attachmentId = byContentId.get(contentId);
      return attachmentId === undefined ? null : attachmentAddress(actor.identityId, attachmentId);
    },
  });
  return { status: 200, headers: mailPageHeaders({ remoteImages }), body: page };
}

async function attachment(actor: IdentityActor, id: string): Promise<RestAnswer> {
  return downloadAnswer(await getAttachment(actor, id), {});
}

async function quarantined(actor: IdentityActor, id: string): Promise<RestAnswer> {
  const file = await quarantinedContent(actor, id);
  return downloadAnswer({ ...file, contentType: 'application/octet-stream' }, {});
}

type Answer = (actor: IdentityActor, id: string, query: URLSearchParams) => Promise<RestAnswer>;

function answerFor(path: string): { answer: Answer; id: string } {
  const [kind, id = '', rest, ...more] = path.split('/').slice(1);
  const known: Record<string, Answer> = {
    attachments: attachment,
    'messages/html': messagePage,
    quarantine: quarantined,
  };
  const name = rest === undefined ? `${kind}` : `${kind}/${rest}`;
  const answer = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!answer || more.length > 0 || !uuidPattern.test(id)) throw notFound();
  return { answer, id };
}

async function actorOf(request: RestRequest, query: URLSearchParams): Promise<IdentityActor> {
  const [identityId = null, ...others] = query.getAll('identity');
  if (others.length > 0) throw invalidFields({ identity: 'is given more than once' });
  const actor = await readSession(request.headers.get('cookie'), identityId);
  if (!actor) throw new AppError('signed_out', 'Sign in to go on.');
  if (actor.identityId === null) throw notFound();
  return actor as IdentityActor;
}

/** Answers `/api/mail/attachments/{id}`, `/api/mail/messages/{id}/html` and `/api/mail/quarantine/{id}`. */
export async function answerMailFiles(request: RestRequest): Promise<RestAnswer> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new AppError('method_not_allowed', 'This path has: GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    }
    const query = new URLSearchParams(request.query);
    const { answer, id } = answerFor(request.pathname.slice(mailFilesPrefix.length));
    const result = await answer(await actorOf(request, query), id, query);
    return { ...result, headers: { ...result.headers, 'X-Request-Id': requestId } };
  } catch (thrown) {
    return errorAnswer(thrown, requestId);
  }
}
