import { connect, type Socket } from 'node:net';

/** A raw connection, for requests that no client library sends. */
export interface RawConnection {
  socket: Socket;
  send(text: string | Uint8Array): void;
  /** The data received, once it matches. Rejects if the connection closes before. */
  received(pattern: RegExp): Promise<string>;
  /** All data received, once the other side has closed. */
  closed(): Promise<string>;
}

/** Opens a connection and sends `text` with CRLF line ends. */
export function openRaw(port: number, text = ''): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let all = '';
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  socket.on('data', (chunk: Buffer) => {
    all += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const until = (isMet: () => boolean, isHopeless: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!isMet() && !isHopeless()) return;
        waiting.delete(look);
        if (isMet()) resolve(all);
        else reject(new Error(`the connection closed after: ${all.slice(0, 500)}`));
      };
      waiting.add(look);
      look();
    });
  const send = (content: string | Uint8Array) => void socket.write(content);
  if (text !== '') send(text.replace(/\r?\n/g, '\r\n'));
  return {
    socket,
    send,
    received: (pattern) =>
      until(
        () => pattern.test(all),
        () => isClosed,
      ),
    closed: () =>
      until(
        () => isClosed,
        () => false,
      ),
  };
}
