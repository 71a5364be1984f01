import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { isAppError } from '@/server/platform/errors';
import { answerOf, imapProblem, openImap } from '@/server/platform/mail/imap-connection';
import { messageId } from '@/server/platform/mail/mail-headers';
import type { MailServer } from '@/server/platform/mail/mail-server';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { maximumMailBytes, receiveRawMail } from '@/server/platform/mail/raw-mail';
import { knownMessageIds } from '../conversations/message-id.service';
import { receiveMail } from '../mail/inbound.service';
import type { MailboxRow } from './mailbox.record';
import type { ReadMailbox } from './mailbox-job';
import { isUnchanged, noteBeginning, noteChecked, noteProgress } from './mailbox-state';

/**
 * Reads a mailbox by the numbers of its messages (UIDs, RFC 9051 section 2.3.1.1), and waits for more (IDLE). It is opened for reading only, so
 * nothing in it changes. Each message is stored, or quarantined, before the next one is asked for; one that was stored when the server died
 * is known by its Message-ID.
 */

/** Messages whose dates and ids are asked for at a time. */
const partSize = 50;

/** Messages of which those to be read are asked for at a time. */
const searchSize = 50_000;

/** After how many days' emails are looked for if the server has changed the numbers of the messages. */
const renumberedDays = 30;

const dayMilliseconds = 86_400_000;

/**
 * In milliseconds: how long a connection is used, how much longer a message may take that was begun, how often changes of the mailbox's
 * settings are looked for, and how often the server is asked. Changed by tests only.
 */
export const readerTimes = { session: 10 * 60_000, lastMessage: 5 * 60_000, settings: 15_000, poll: 120_000 };

/** In bytes: how long a list of messages may be. Servers accept Message-IDs of up to 100 kB. */
const partMaximum = 8 * 1024 ** 2;

/** What is to be read. */
export interface MailboxToRead {
  row: MailboxRow;
  server: MailServer;
}

/** A message as the server lists it. */
type Listed = Pick<FetchMessageObject, 'uid'> & Partial<Pick<FetchMessageObject, 'internalDate' | 'flags' | 'headers'>>;

class MailboxReader {
  readonly #key: ReadMailbox;
  readonly #mailbox: MailboxRow;
  readonly #server: MailServer;
  readonly #client: ImapFlow;
  readonly #signal: AbortSignal;
  /** Whether there may be messages that have not been looked for. */
  #hasNews = true;
  #place = { uidValidity: '', lastUid: 0, importLastUid: 0, importSince: new Date(0) };

  constructor({ row, server }: MailboxToRead, client: ImapFlow, signal: AbortSignal) {
    this.#key = { identityId: row.identityId, mailboxId: row.id };
    this.#mailbox = row;
    this.#server = server;
    this.#client = client;
    this.#signal = signal;
    client.on('exists', () => {
      this.#hasNews = true;
    });
  }

  /** What the server answers. @throws MailboxProblem if it does not */
  async #ask<T>(question: Promise<T>, maximum?: number): Promise<T> {
    try {
      return await answerOf(this.#client, this.#server, question, maximum);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw error;
    }
  }

  /** @returns UIDs, ascending */
  async #search(criteria: { uid: string; since?: Date }): Promise<number[]> {
    const found = new Set<number>();
    const count = () => (this.#client.mailbox ? this.#client.mailbox.exists : 0);
    // From the end of the list, so that none is missed when others are deleted in between: all behind them move to the front.
    for (let to = count(); to > 0; to = Math.min(to - searchSize, count())) {
      const from = Math.max(1, to - searchSize + 1);
      const part = await this.#ask(this.#client.search({ seq: `${from}:${to}`, ...criteria }, { uid: true }));
      if (!part) throw new MailboxProblem('protocol', `${this.#server.host} refused to search.`);
      for (const uid of part) found.add(uid);
      // UIDs ascend in the list, dates need not.
      if (!criteria.since && part.length <= to - from) break;
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Opens the folder, and finds where to go on. */
  async open(): Promise<void> {
    const { uidValidity, lastUid, importLastUid, importSince, folder, importDays, createdAt } = this.#mailbox;
    const opened = await this.#ask(this.#client.mailboxOpen(folder, { readOnly: true }));
    const validity = String(opened.uidValidity);
    if (validity === uidValidity) {
      this.#place = { uidValidity, lastUid, importLastUid, importSince: new Date(importSince ?? createdAt) };
      return;
    }
    const isFirst = uidValidity === null;
    const days = isFirst ? importDays : renumberedDays;
    const since = new Date((isFirst ? Date.parse(createdAt) : Date.now()) - days * dayMilliseconds);
    const last = Math.max(0, (opened.uidNext || 1) - 1);
    const found = days === 0 || last === 0 ? [] : await this.#search({ uid: `1:${last}`, since });
    this.#place = { uidValidity: validity, lastUid: (found[0] ?? last + 1) - 1, importLastUid: last, importSince: since };
    await noteBeginning(this.#key, { ...this.#place, importTotal: found.length });
  }

  /**
   * Reads all messages that have not been read.
   * @param until begins no further message after this time: the next session goes on there
   * @returns false if it has not read all, or the mailbox is to be read otherwise from now on
   */
  async readAll(until: number): Promise<boolean> {
    for (;;) {
      const { lastUid, importLastUid, importSince } = this.#place;
      const isImport = lastUid < importLastUid;
      if (!isImport) this.#hasNews = false;
      const found = isImport
        ? await this.#search({ uid: `${lastUid + 1}:${importLastUid}`, since: importSince })
        : await this.#search({ uid: `${lastUid + 1}:*` });
      // `*` is the last message, whatever its number.
      const uids = found.filter((uid) => uid > lastUid);
      for (let from = 0; from < uids.length; from += partSize) {
        if (!(await this.#readPart(uids.slice(from, from + partSize), until))) return false;
      }
      if (!isImport) break;
      this.#place.lastUid = importLastUid;
    }
    await noteChecked(this.#key);
    return true;
  }

  async #readPart(uids: readonly number[], until: number): Promise<boolean> {
    const query = { uid: true, flags: true, internalDate: true, headers: ['message-id'] };
    const listed = await this.#ask(this.#client.fetchAll(uids.join(','), query, { uid: true }), partMaximum);
    // Servers also report changes of others, with their flags only.
    const byUid = new Map(listed.filter(({ headers }) => headers).map((message) => [message.uid, message]));
    const idOf = (message: Listed) => messageId(message.headers?.toString('latin1').replace(/^[^:]*:/, '') ?? '');
    const known = await knownMessageIds(
      this.#key.identityId,
      [...byUid.values()].map(idOf).filter((id) => id !== null),
    );
    for (const uid of uids) {
      this.#signal.throwIfAborted();
      if (Date.now() >= until) return false;
      const message: Listed = byUid.get(uid) ?? { uid };
      const isNew = !known.has(idOf(message) ?? '') && (await this.#take(message));
      const progress = { uidValidity: this.#place.uidValidity, uid, read: 1, isNew };
      if (!(await noteProgress(this.#key, progress))) return false;
      this.#place.lastUid = uid;
    }
    return true;
  }

  /** Takes a message over. @returns false if it was deleted in between */
  async #take({ uid, internalDate, flags }: Listed): Promise<boolean> {
    const options = { uid: true, maxBytes: maximumMailBytes + 1 };
    const { content } = await this.#ask(this.#client.download(String(uid), undefined, options));
    if (!content) return false;
    const raw = await this.#ask(receiveRawMail(content, { drainExcess: true }), 2 * maximumMailBytes);
    try {
      const { identityId, address, createdAt } = this.#mailbox;
      const arrived = new Date(internalDate ?? Date.now());
      const isPast = arrived.getTime() < Date.parse(createdAt);
      await receiveMail(
        raw,
        { source: 'imap', sender: null, recipients: [] },
        {
          receivedAt: new Date(Math.min(arrived.getTime(), Date.now())),
          isSettled: isPast && flags?.has('\\Seen') === true,
          mailbox: { identityId, address },
        },
      );
      return true;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'quota_exceeded') throw error;
      const message = 'The storage of this business is full. Emails stay in the mailbox until there is room.';
      throw new MailboxProblem('storage_full', message, { cause: error });
    } finally {
      await raw.discard();
    }
  }

  /** Waits until there may be new messages. @returns false if the mailbox is to be read otherwise from now on, or has been read long enough */
  async wait(until: number): Promise<boolean> {
    const { settings, poll } = readerTimes;
    const pollAt = Date.now() + poll;
    for (;;) {
      const hasArrived = await this.#ask(this.#arrival(settings));
      this.#signal.throwIfAborted();
      if (!this.#client.usable) throw imapProblem(new Error('The connection ended.'), this.#server);
      if (Date.now() >= until || !(await isUnchanged(this.#key, this.#mailbox.revision))) return false;
      if (hasArrived) return true;
      if (Date.now() >= pollAt) {
        // An IDLE may have died without a sign.
        await this.#ask(this.#client.noop());
        return true;
      }
    }
  }

  /** True once the server says that there are new messages; false after this time, and when the connection ends. */
  #arrival(milliseconds: number): Promise<boolean> {
    const client = this.#client;
    if (this.#hasNews) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (hasArrived: boolean) => () => {
        clearTimeout(timer);
        client.off('exists', arrived);
        client.off('close', over);
        resolve(hasArrived);
      };
      const [arrived, over] = [end(true), end(false)];
      const timer = setTimeout(over, milliseconds);
      client.on('exists', arrived);
      client.on('close', over);
    });
  }
}

/** What a session with a mailbox came to: whether everything was read once, and what ended it. */
export interface Session {
  hasRead: boolean;
  problem: MailboxProblem | null;
}

/**
 * Reads a mailbox, and waits for more, for ten minutes.
 *
 * @param stop ends it at once
 * @throws the reason of `stop`; errors that are not the mailbox's, such as those of the database
 */
export async function readMailbox(mailbox: MailboxToRead, stop: AbortSignal): Promise<Session> {
  const { session, lastMessage } = readerTimes;
  const until = Date.now() + session;
  // A server that answers bit by bit would keep the place of another mailbox.
  const late = AbortSignal.timeout(session + lastMessage);
  const signal = AbortSignal.any([stop, late]);
  let hasRead = false;
  let client: ImapFlow | undefined;
  try {
    client = await openImap(mailbox.server, signal);
    const reader = new MailboxReader(mailbox, client, signal);
    await reader.open();
    while (await reader.readAll(until)) {
      hasRead = true;
      if (!(await reader.wait(until))) break;
    }
    return { hasRead, problem: null };
  } catch (error) {
    if (late.aborted && !stop.aborted) {
      return { hasRead, problem: new MailboxProblem('no_answer', `${mailbox.server.host} takes too long to answer.`) };
    }
    if (!(error instanceof MailboxProblem)) throw error;
    return { hasRead, problem: error };
  } finally {
    // Without waiting for an answer: nothing is left to say.
    client?.close();
  }
}
