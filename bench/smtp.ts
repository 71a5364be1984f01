import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A mail server as it delivers: one connection, one message after the other, each acknowledged before the next. */
export interface Client {
  /** @returns the code of the server's answer to the message */
  send(message: Buffer): Promise<number>;
  close(): void;
}

/** Resolves with the code of the next complete answer. */
function nextAnswer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const last = text.trimEnd().split('\r\n').at(-1) ?? '';
      if (!text.endsWith('\r\n') || !/^\d{3} /.test(last)) return;
      socket.off('data', read);
      socket.off('error', reject);
      resolve(Number(last.slice(0, 3)));
    };
    socket.on('data', read);
    socket.once('error', reject);
  });
}

/** @param localAddress the address it comes from, one of 127.0.0.0/8 */
export async function openClient(port: number, recipient: string, localAddress = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).setNoDelay();
  const say = async (said: string | Buffer) => {
    const answer = nextAnswer(socket);
    if (!socket.write(said)) await Promise.race([once(socket, 'drain'), answer]);
    return answer;
  };
  const expect = async (code: number, said: string) => {
    const got = await say(said);
    if (got !== code) throw new Error(`The server answered ${got} where ${code} was expected.`);
  };
  await nextAnswer(socket);
  await expect(250, 'EHLO bench.example\r\n');
  return {
    send: async (message) => {
      await expect(250, 'MAIL FROM:<ann@quark.example>\r\n');
      await expect(250, `RCPT TO:<${recipient}>\r\n`);
      await expect(354, 'DATA\r\n');
      return say(Buffer.concat([message, Buffer.from('\r\n.\r\n')]));
    },
    close: () => socket.destroy(),
  };
}

interface SmtpLoad {
  port: number;
  recipient: string;
  connections: number;
  seconds: number;
  /** The n-th message. */
  make(n: number): Buffer;
}

/** Delivers for some seconds over several connections. @returns milliseconds of each message, and how many there were a second */
export async function deliver(load: SmtpLoad): Promise<{ perSecond: number; durations: number[] }> {
  const clients = await Promise.all(Array.from({ length: load.connections }, () => openClient(load.port, load.recipient)));
  const durations: number[] = [];
  const startedAt = performance.now();
  let n = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < load.seconds * 1000) {
        const message = load.make(n++);
        const sentAt = performance.now();
        const code = await client.send(message);
        if (code !== 250) throw new Error(`The server answered ${code} to a message.`);
        durations.push(performance.now() - sentAt);
      }
    }),
  );
  const took = performance.now() - startedAt;
  for (const client of clients) client.close();
  return { perSecond: (durations.length * 1000) / took, durations: durations.sort((a, b) => a - b) };
}
