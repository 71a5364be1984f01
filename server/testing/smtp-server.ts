import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { overrideEnv } from '@/server/platform/env';
import type { MailSecurity } from '@/server/platform/mail/mail-server';
import { testCertificates } from './certificates';

/** A message that a test's mail server has accepted. */
export interface AcceptedMail {
  from: string;
  recipients: string[];
  raw: string;
  /** Who was signed in. */
  user?: string;
}

interface Behaviour {
  /** Response to RCPT; undefined accepts the recipient, `silent` does not respond. */
  recipient?(address: string): { code: number; message: string } | 'silent' | undefined;
  /**
   * Response after DATA; undefined accepts the message. `hang-up` drops the connection after receiving it, `silent` neither
   * accepts it nor responds.
   */
  message?(mail: AcceptedMail): { code: number; message: string } | 'hang-up' | 'silent' | undefined;
}

/** A real mail server on a free local port that keeps the messages it accepts. */
export interface TestMailServer {
  url: string;
  port: number;
  accepted: AcceptedMail[];
  /** Changes its behaviour from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

const refusal = ({ code, message }: { code: number; message: string }) =>
  Object.assign(new Error(message), { responseCode: code });

/** How members sign in to a mail server that sends for them: encrypted, with any user name and this password. */
export interface TestSubmission {
  security: MailSecurity;
  password: string;
  /** Whose access token it is, for a server that takes those as well. */
  accountOf?: (accessToken: string) => Promise<string | undefined>;
}

const withoutSignIn: SMTPServerOptions = { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] };

const signingIn = ({ security, password, accountOf }: TestSubmission): SMTPServerOptions => ({
  ...testCertificates.local,
  secure: security === 'tls',
  ...(accountOf ? { authMethods: ['PLAIN', 'XOAUTH2'] } : {}),
  onAuth: async ({ username, password: given, accessToken }, _session, done) => {
    const isRight = accessToken === undefined ? given === password : (await accountOf?.(accessToken)) === username;
    if (isRight) done(null, { user: username });
    else done(refusal({ code: 535, message: '5.7.8 Wrong password' }));
  },
});

/** @param submission without it, everybody may send, unencrypted */
export async function startTestMailServer(submission?: TestSubmission): Promise<TestMailServer> {
  const accepted: AcceptedMail[] = [];
  let behaviour: Behaviour = {};
  const server = new SMTPServer({
    ...(submission ? signingIn(submission) : withoutSignIn),
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const answer = behaviour.recipient?.(address);
      if (answer !== 'silent') done(answer ? refusal(answer) : null);
    },
    onData: (stream, { envelope, user }, done) => {
      const receive = (bytes: Buffer) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const mail = { from, recipients, raw: bytes.toString(), ...(user ? { user } : {}) };
        const answer = behaviour.message?.(mail);
        if (answer === 'silent') return;
        if (answer && answer !== 'hang-up') return done(refusal(answer));
        accepted.push(mail);
        if (answer === 'hang-up') for (const connection of server.connections) connection.close();
        else done(null, '2.0.0 Ok');
      };
      // A sender that disconnects in the middle of a message is expected.
      void buffer(stream).then(receive, () => undefined);
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    accepted,
    behave: (next) => {
      behaviour = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * A mail server, named by SMTP_URL, while the calling test file runs; it begins each test without mail and with its usual behaviour.
 * Call it after `withFreshDatabase`.
 */
export function withMailServer(): Omit<TestMailServer, 'close'> {
  let server: TestMailServer;

  beforeAll(async () => {
    server = await startTestMailServer();
    overrideEnv({ SMTP_URL: server.url });
  });

  beforeEach(() => {
    server.accepted.length = 0;
    server.behave({});
    overrideEnv({ SMTP_URL: server.url });
  });

  afterAll(() => server.close());

  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    get accepted() {
      return server.accepted;
    },
    behave: (behaviour) => server.behave(behaviour),
  };
}
