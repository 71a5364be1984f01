import { Agent, request } from 'node:http';

/** The outcome of one request for its client. */
export interface Outcome {
  /** 0 if there was no response. */
  status: number;
  /** Why there was none, or the body of a response other than 200. */
  error: string;
  /** True if the connection existed or was established; a refused one was not interrupted. */
  wasConnected: boolean;
}

export interface KeepAliveLoad {
  outcomes: Outcome[];
  /** Lets pending requests finish. */
  stop(): Promise<void>;
}

/**
 * Milliseconds that a client waits before its next request. Without them the load takes all of the machine, and what the test is
 * about takes minutes; with them, some connections are at rest and some are in use at any time. Much less than the time for which a
 * server that stops keeps connections at rest.
 */
const pause = 50;

/** Clients that send the next request soon after each response, each on one connection kept alive as long as possible. */
export function startKeepAliveLoad(
  url: string,
  clients: number,
  options: { headers?: Record<string, string> } = {},
): KeepAliveLoad {
  const outcomes: Outcome[] = [];
  let isOver = false;
  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const outcome = await ask(url, agent, options.headers);
      outcomes.push(outcome);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    agent.destroy();
  }
  const all = Promise.all(Array.from({ length: clients }, client));
  const stop = async () => {
    isOver = true;
    await all;
  };
  return { outcomes, stop };
}

function ask(url: string, agent: Agent, headers: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    let wasConnected = false;
    const outgoing = request(url, { agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        if (answer.statusCode !== 200) text += chunk;
      });
      answer.on('error', (error) => resolve({ status: 0, error: String(error), wasConnected: true }));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, error: text.slice(0, 200), wasConnected: true }));
    });
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) wasConnected = true;
      else
        socket.once('connect', () => {
          wasConnected = true;
        });
    });
    outgoing.on('error', (error) => resolve({ status: 0, error: String(error), wasConnected }));
    outgoing.end();
  });
}
