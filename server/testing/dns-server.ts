import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server for tests, which serves TXT records over UDP (RFC 1035). */
export interface TestDnsServer {
  /** For DNS_SERVERS. */
  address: string;
  /** TXT records by domain; any other domain does not exist. */
  records: Map<string, string[]>;
  /** Domains without a response. */
  silent: Set<string>;
  /** Queried domains in order. */
  asked: string[];
  close(): Promise<void>;
}

/** The name in a query, and its end. */
function readName(packet: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** One TXT record in chunks of 255 bytes, with a pointer to the name of the query. */
function record(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  const data = Buffer.concat(pieces);
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function answerTo(packet: Buffer, texts: readonly string[] | undefined, end: number): Buffer {
  const head = Buffer.from(packet.subarray(0, 12));
  head.writeUInt16BE(texts ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(texts?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, packet.subarray(12, end), ...(texts ?? []).map(record)]);
}

/** Starts the server on a free local port. */
export async function startTestDnsServer(): Promise<TestDnsServer> {
  const [records, silent, asked] = [new Map<string, string[]>(), new Set<string>(), [] as string[]];
  const socket = createSocket('udp4');
  socket.on('message', (packet: Buffer, { port, address }: RemoteInfo) => {
    const { name, end } = readName(packet);
    asked.push(name);
    if (!silent.has(name)) socket.send(answerTo(packet, records.get(name), end), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    ...{ records, silent, asked, address: `127.0.0.1:${socket.address().port}` },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
