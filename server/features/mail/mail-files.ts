import { getAttachment } from '@/server/features/conversations/attachment.service';
import { getMessage } from '@/server/features/conversations/conversation.service';
import type { IdentityActor } from '@/server/platform/actor';
import { readSession } from '@/server/platform/auth/session';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { mailPage, mailPageHeaders } from '@/server/platform/mail/html-view';
import { downloadAnswer } from '../../platform/http/download';
import { quarantinedContent } from './quarantine.service';

/** Where the dashboard gets what is no JSON: attachments, the HTML of messages, quarantined messages. Sessions only. */
const mailFilesPrefix = '/api/mail';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The address of an attachment for the dashboard of an identity. */
function attachmentAddress(identityId: string, attachmentId: string): string {
  return `${mailFilesPrefix}/attachments/${attachmentId}?identity=${identityId}`;
}

/** A message's HTML as a page of its own, for a frame without scripts. */
async function messagePage(actor: IdentityActor, id: string, query: URLSearchParams): Promise<HttpAnswer> {
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
    'messages/html': messagePage,
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
  return actor as IdentityActor;
}

/** `/api/mail/attachments/{id}`, `/api/mail/messages/{id}/html` and `/api/mail/quarantine/{id}`. */
export const mailFilesRoute: HttpRoute = {
  prefix: mailFilesPrefix,
  methods: 'GET, HEAD',
  async answer(request) {
    const query = new URLSearchParams(request.query);
    const { answer, id } = answerFor(request.pathname.slice(mailFilesPrefix.length));
    return answer(await actorOf(request, query), id, query);
  },
};
