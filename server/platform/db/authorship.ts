import pg from 'pg';
import type { Author } from '../actor';

/**
 * Who makes the changes of a transaction, as the triggers of the audit log read it (docs/adr/0011). Every transaction that writes begins
 * with saying so; what is written past that is noted as done in the database.
 */

/** The setting `frontdesk.author`, as JSON. */
export function authorSetting(author: Author): string {
  const ids = {
    requestId: author.request?.requestId || undefined,
    clientRequestId: author.request?.clientRequestId || undefined,
  };
  switch (author.kind) {
    case 'apiKey':
      return JSON.stringify({ kind: 'key', id: author.apiKeyId, ...ids });
    case 'session':
      return JSON.stringify({ kind: 'owner', id: author.userId, ...ids });
    case 'system':
      return JSON.stringify({ kind: 'system', cause: author.cause ?? 'operator', ...ids });
  }
}

/** The statements that begin a transaction of this author, in one text: they travel together. */
export function beginningOf(author: Author): string {
  return `BEGIN; SET LOCAL frontdesk.author = ${pg.escapeLiteral(authorSetting(author))}`;
}
