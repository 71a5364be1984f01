import { isIP } from 'node:net';
import os from 'node:os';
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server';
import { noteSecurityEvent } from '../auth/security-log';
import { ConfigurationError, env } from '../env';
import { type AppError, isAppError } from '../errors';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { readInboundCertificate } from './inbound-certificate';
import { normalizeAddress } from './mail-addresses';
import { maximumMailBytes, type RawMail, receiveRawMail } from './raw-mail';
import { ConnectionLimit } from './smtp-connections';

/** The operations of the mail feature that the listener needs. */
export interface MailReceiver {
  /**
   * True if the address belongs to an identity here. `size` is what the client has announced (RFC 1870), 0 if nothing.
   * @throws AppError quota_exceeded if its mailbox is full, or the sender has sent too much today
   */
  isKnown(recipient: string, from: { sender: string; clientAddress: string; size: number }): Promise<boolean>;
  /** Accepts a message; it is durable when this resolves. */
  receive(raw: RawMail, envelope: { sender: string; recipients: string[]; clientAddress: string }): Promise<void>;
}

/** Maximum concurrent connections. */
const connectionsMaximum = 200;
/** Maximum time of a connection between messages, in milliseconds, even if its client sends commands. */
const idleSessionMaximum = 5 * 60_000;
const recipientsMaximum = 100;
/** Timeout of a silent client, in milliseconds. */
const silentClientTimeout = 60_000;
/** Maximum time for one message, in milliseconds. */
const messageTimeMaximum = 10 * 60_000;

/** An SMTP reply (RFC 5321) with an enhanced code (RFC 3463). */
function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const temporaryFailure = () => reply(451, '4.3.0 Not possible right now, try again later');
const tooLarge = () => reply(552, `5.3.4 Message is larger than ${maximumMailBytes} bytes`);

function isQuotaExceeded(error: unknown): error is AppError {
  return isAppError(error) && error.code === 'quota_exceeded';
}

/** True if it is the quota of the sender, false if the mailbox is full. */
const isOfSender = ({ details }: AppError) => details?.quota === 'sender';

/** Notes in the security log that a quota is exceeded. @param recipient null if detected at the end of the message */
function noteQuota(error: AppError, { remoteAddress }: SMTPServerSession, recipient: string | null): void {
  const reason = isOfSender(error) ? 'sender_quota_exceeded' : 'quota_exceeded';
  noteSecurityEvent({ kind: 'inbound_refused', reason, address: remoteAddress, subject: recipient });
}

/** The return path, '' for the null one. */
function returnPath({ mailFrom }: Pick<SMTPServerSession['envelope'], 'mailFrom'>): string {
  return mailFrom === false ? '' : normalizeAddress(mailFrom.address);
}

/** What a client says of its message before it sends it. */
function announced({ mailFrom }: SMTPServerSession['envelope']): { sender: string; size: number } {
  const { SIZE = 0 } = (mailFrom && (mailFrom.args as { SIZE?: string | boolean } | undefined)) || {};
  return { sender: returnPath({ mailFrom }), size: Number(SIZE) || 0 };
}

/** The reply for an error: temporary, unless the recipient is unknown. A full disk has its own reply. */
function errorReply(error: unknown): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  if (isAppError(error) && error.code === 'unknown_recipient') return reply(550, '5.1.1 No such recipient here');
  if (isQuotaExceeded(error)) {
    return isOfSender(error)
      ? reply(452, '4.7.28 Too much mail from this sender today, try again tomorrow')
      : reply(452, '4.2.2 The mailbox is full');
  }
  if ((error as { code?: string }).code === 'ENOSPC') return reply(452, '4.3.1 Not enough room for the message right now');
  return temporaryFailure();
}

/** The server's name in its greeting (RFC 5321 4.2): the host of PUBLIC_URL, an IP address as a literal (4.1.3). */
function serverName(): string {
  const { PUBLIC_URL } = env();
  const host = PUBLIC_URL ? new URL(PUBLIC_URL).hostname.replace(/^\[(.*)\]$/, '$1') : os.hostname();
  const version = isIP(host);
  if (version === 0) return host;
  return version === 6 ? `[IPv6:${host}]` : `[${host}]`;
}

/** Parameters of MAIL and RCPT, from the extensions offered by EHLO (RFC 1870, 6152, 6531). */
const mailParameters = new Set(['SIZE', 'BODY', 'SMTPUTF8']);
const recipientParameters = new Set<string>();

/** The error for parameters that were not offered (RFC 5321 4.1.1.11); null if there are none. */
function unknownParameter({ args }: SMTPServerAddress, known: ReadonlySet<string>): Error | null {
  const unknown = Object.keys(args || {}).find((name) => !known.has(name));
  return unknown === undefined ? null : reply(555, `5.5.4 Parameter not recognized: ${unknown.slice(0, 64)}`);
}

/** Error codes of a message's stream if its client disconnects, from the stream or its socket. */
const disconnectCodes = new Set(['ECONNECTION', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Ends idle connections: a client may pause for some minutes between messages, but not indefinitely. */
function sessionLimit(server: () => SMTPServer) {
  const activeAt = new Map<string, number>();
  const busy = new Set<string>();
  const watch = setInterval(() => {
    const now = performance.now();
    for (const connection of server().connections) {
      const { id } = connection.session;
      const since = activeAt.get(id);
      if (since === undefined) activeAt.set(id, now);
      else if (!busy.has(id) && now - since > idleSessionMaximum) connection.close();
    }
  }, 15_000);
  watch.unref();
  return {
    begin: ({ id }: SMTPServerSession) => void busy.add(id),
    // If the client disconnected during processing, there is nothing to record.
    end: ({ id }: SMTPServerSession) => void (busy.delete(id) && activeAt.set(id, performance.now())),
    forget: ({ id }: SMTPServerSession) => {
      busy.delete(id);
      activeAt.delete(id);
    },
    stop: () => clearInterval(watch),
  };
}

async function receiveMessage(
  receiver: MailReceiver,
  stream: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown },
  { envelope, remoteAddress }: SMTPServerSession,
): Promise<void> {
  const deadline = setTimeout(() => stream.destroy(reply(421, '4.4.2 The message took too long')), messageTimeMaximum);
  const raw = await receiveRawMail(stream, { drainExcess: true }).finally(() => clearTimeout(deadline));
  try {
    const recipients = envelope.rcptTo.map(({ address }) => address);
    await receiver.receive(raw, { sender: returnPath(envelope), recipients, clientAddress: remoteAddress });
  } finally {
    await raw.discard();
  }
  if (raw.isTruncated) throw tooLarge();
}

export interface SmtpListener {
  /** The port it listens on. */
  port: number;
  /** Stops accepting and waits for running messages, ten seconds at most. */
  close(): Promise<void>;
}

/**
 * Listens for mail on INBOUND_SMTP_PORT (RFC 5321). 250 after DATA means that the message is durable; an unknown recipient is
 * refused at RCPT; any fault on our side is a 4xx, so that the sender retries.
 * @throws ConfigurationError in one line if the port or the certificate can't be used
 */
export function startSmtpListener(port: number, receiver: MailReceiver): Promise<SmtpListener> {
  const tls = readInboundCertificate();
  const connections = new ConnectionLimit();
  const sessions = sessionLimit(() => server);
  const server: SMTPServer = new SMTPServer({
    name: serverName(),
    banner: 'Frontdesk',
    size: maximumMailBytes,
    maxClients: connectionsMaximum,
    socketTimeout: silentClientTimeout,
    closeTimeout: 10_000,
    disableReverseLookup: true,
    // DSN (RFC 3461) must not be offered, since we send no such notifications.
    hideDSN: true,
    authOptional: true,
    // Some real addresses violate the standards ("taro..yamada@", "www-data@web_01."); recipients are checked separately.
    lenientAddressParsing: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    logger: false,
    ...tls,
    onConnect: (session, done) => {
      const { id, remoteAddress } = session;
      if (connections.enter(id, remoteAddress)) return done(null);
      noteSecurityEvent({ kind: 'inbound_refused', reason: 'too_many_connections', address: remoteAddress });
      done(reply(421, '4.7.0 Too many connections from your address'));
    },
    onClose: (session) => {
      connections.leave(session.id);
      sessions.forget(session);
    },
    onMailFrom: (address, _session, done) => done(unknownParameter(address, mailParameters)),
    onRcptTo: (recipient, session, done) => {
      const { address } = recipient;
      const refusal = unknownParameter(recipient, recipientParameters);
      if (refusal) return done(refusal);
      if (session.envelope.rcptTo.length >= recipientsMaximum) return done(reply(452, '4.5.3 Too many recipients'));
      receiver.isKnown(address, { ...announced(session.envelope), clientAddress: session.remoteAddress }).then(
        (known) => done(known ? null : reply(550, '5.1.1 No such recipient here')),
        (error: unknown) => {
          const answer = errorReply(error);
          if (isQuotaExceeded(error)) noteQuota(error, session, address);
          else logFailure(error, {}, 'a recipient could not be looked up');
          done(answer);
        },
      );
    },
    onData: (stream, session, done) => {
      sessions.begin(session);
      const taken = receiveMessage(receiver, stream, session).finally(() => sessions.end(session));
      taken.then(
        () => done(null, '2.0.0 Message stored'),
        (error: unknown) => {
          const answer = errorReply(error);
          const { code = '' } = error as { code?: string };
          if (disconnectCodes.has(code))
            log().info({ remoteAddress: session.remoteAddress }, 'the client left in the middle of a message');
          else if (isQuotaExceeded(error)) noteQuota(error, session, null);
          else if (!('responseCode' in (error as object))) logFailure(error, {}, 'a message could not be taken in');
          done(answer);
        },
      );
    },
  });
  // Clients that disconnect, send garbage or fail at TLS; not our fault.
  server.on('error', (error) => log().debug({ err: error }, 'SMTP connection failed'));
  return listen(server, port, sessions.stop);
}

function listen(server: SMTPServer, port: number, onClose: () => void): Promise<SmtpListener> {
  const { HOST } = env();
  return new Promise((resolve, reject) => {
    server.server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigurationError(`Can't listen for mail on ${HOST}:${port} (${error.code}). Set another INBOUND_SMTP_PORT.`));
    });
    server.listen(port, HOST, () => {
      const address = server.server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : port,
        close: () => {
          onClose();
          return new Promise((closed) => server.close(() => closed()));
        },
      });
    });
  });
}
