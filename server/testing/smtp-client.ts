import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Sends lines to a mail server one by one, as a client does, and bytes as they are. @returns the last line of each reply, greeting included */
export async function converse(port: number, lines: readonly (string | Buffer)[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const answers: string[] = [];
  const rest = [...lines];
  try {
    for await (const line of createInterface({ input: socket })) {
      if (/^\d{3}-/.test(line)) continue;
      answers.push(line);
      const next = rest.shift();
      if (next === undefined) break;
      socket.write(typeof next === 'string' ? `${next}\r\n` : next);
    }
  } finally {
    socket.destroy();
  }
  return answers;
}
