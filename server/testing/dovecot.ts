import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ImapFlow } from 'imapflow';
import { freePort } from '@/server/platform/db/free-port';
import type { MailServer } from '@/server/platform/mail/mail-server';
import { testCertificates } from './certificates';
import { exitOf, hasEnded } from './child-process';
import { findProgram } from './program';

/** Null if it is not installed. */
export const dovecot = findProgram('dovecot');

const password = 'correct-horse';

interface Appended {
  /** When it arrived; now by default. */
  at?: Date;
  flags?: string[];
  folder?: string;
}

/** A real IMAP server (Dovecot). Every user name has a mailbox, with one password. */
export interface TestDovecot {
  /** How to sign in. */
  server(username: string, changes?: Partial<MailServer>): MailServer & { password: string };
  /** Ports with TLS at once, and with STARTTLS. */
  ports: { tls: number; starttls: number };
  /** Puts messages into a mailbox. */
  append(username: string, raw: readonly (string | Buffer)[], options?: Appended): Promise<void>;
  /** Does something with a mailbox as another program would. */
  as<T>(username: string, work: (client: ImapFlow) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
  /** Starts it again after `stop`. */
  start(): Promise<void>;
  /** Changes the numbers of a mailbox's messages; it has to be stopped. */
  renumber(username: string): Promise<void>;
  remove(): Promise<void>;
}

function configuration(folder: string, ports: TestDovecot['ports'], takesTokens: boolean): string {
  const isRoot = process.getuid?.() === 0;
  const user = os.userInfo().username;
  // It opens no mailbox as root.
  const owner = isRoot ? 'uid=nobody gid=nogroup' : `uid=${process.getuid?.()} gid=${process.getgid?.()}`;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
mail_fsync = never
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login${takesTokens ? ' xoauth2 oauthbearer' : ''}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${password}
  mechanisms = plain login
}
${takesTokens ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${folder}/oauth2.conf\n}` : ''}
userdb {
  driver = static
  args = ${owner} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
}
${isRoot ? '' : `default_internal_user = ${user}\ndefault_login_user = ${user}\n`}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.starttls}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
`;
}

/** Resolves when something listens there. */
async function listens(port: number, child: ChildProcess, log: string): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (hasEnded(child)) throw new Error(`Dovecot ended at its start.\n${await readFile(log, 'utf8').catch(() => '')}`);
  }
}

/** @param tokenInfoUrl answers whose access token it is that is appended to it (`{ "sub": … }`); without it, only passwords are taken */
export async function startDovecot(tokenInfoUrl?: string): Promise<TestDovecot> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dovecot-'));
  const ports = { tls: await freePort(), starttls: await freePort() };
  const { cert, key } = testCertificates.local;
  const file = path.join(folder, 'dovecot.conf');
  await Promise.all([
    writeFile(path.join(folder, 'certificate.pem'), cert),
    writeFile(path.join(folder, 'key.pem'), key),
    writeFile(file, configuration(folder, ports, tokenInfoUrl !== undefined)),
    writeFile(path.join(folder, 'oauth2.conf'), `tokeninfo_url = ${tokenInfoUrl ?? ''}\nusername_attribute = sub\n`),
    mkdir(path.join(folder, 'mail')),
  ]);
  await chmod(folder, 0o755);
  await chmod(path.join(folder, 'mail'), 0o777);
  let child: ChildProcess | undefined;

  const start = async () => {
    child = spawn(dovecot ?? '', ['-F', '-c', file], { stdio: 'ignore' });
    await listens(ports.tls, child, path.join(folder, 'log'));
  };
  const stop = async () => {
    if (!child) return;
    child.kill('SIGTERM');
    await exitOf(child);
  };
  const as: TestDovecot['as'] = async (username, work) => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: ports.tls,
      secure: true,
      tls: { ca: cert },
      auth: { user: username, pass: password },
      logger: false,
    });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  };

  await start();
  return {
    server: (username, changes) => ({
      ...{ host: '127.0.0.1', port: ports.tls, security: 'tls', username, password, ca: cert },
      ...changes,
    }),
    ports,
    append: (username, raw, { at, flags = [], folder: name = 'INBOX' } = {}) =>
      as(username, async (client) => {
        for (const each of raw) await client.append(name, each, flags, at);
      }),
    as,
    stop,
    start,
    renumber: async (username) => {
      for (const name of [
        'dovecot-uidlist',
        'dovecot-uidvalidity',
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.cache',
      ]) {
        await rm(path.join(folder, 'mail', username, name), { force: true });
      }
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Settings of a server that trusts the certificate of `startDovecot`, which is put into the folder, and may connect to it. */
export async function settingsForDovecot(folder: string): Promise<Record<string, string>> {
  const file = path.join(folder, 'authority.pem');
  await writeFile(file, testCertificates.local.cert);
  return { OUTBOUND_ALLOWLIST: '127.0.0.1', NODE_EXTRA_CA_CERTS: file };
}
