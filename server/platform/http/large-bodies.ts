import { networkOf } from '@/server/platform/auth/client-network';
import { isPublicAddress } from '@/server/platform/fetch/destination';
import { oncePerProcess } from '@/server/platform/process-globals';
import { Semaphore } from '@/server/platform/semaphore';

/** Bodies from this size in bytes, or of unknown size, wait for a place before they are read. */
const largeFrom = 1024 * 1024;

/** How long a request waits for its place, in milliseconds. */
const maxWait = 60_000;
const ofOne = { permitsPerOwner: 2, queuedPerOwner: 40 };

/** How often the slowest body is looked for, and how long each is left in peace, in milliseconds. */
const lookEvery = 5_000;
const patience = 10_000;
/** Bytes a second. The largest body that comes this fast is done before those that wait for it give up. */
const fastEnough = 256 * 1024;

/** A body that tells how much of it has come, and that can be ended. */
export interface MeasuredBody {
  readonly received: number;
  readonly isComplete: boolean;
  /** Makes whoever reads it fail with request_timeout: when more of it comes, or at once if called again. */
  end(): void;
}

interface Reading {
  body: MeasuredBody | null;
  account: string;
  network: string | null;
  since: number;
}

/**
 * A picture in JSON takes several times its size in memory, so a few large bodies are read at a time, with a fair share for each
 * account and each network; the others wait unread in their connections at no cost. While some wait, the slowest of those whose
 * places they could have is ended.
 */
class Places {
  readonly #places = new Semaphore({ permits: 4, queued: 100, maxWait, ...ofOne });
  /** An account may have many businesses, and a person many accounts: no network has more places than an account. */
  readonly #ofNetworks = new Semaphore({ permits: 1_000, queued: 200, maxWait, ...ofOne });
  readonly #readings = new Set<Reading>();
  #looking: NodeJS.Timeout | undefined;

  run<T>({ account, address, body }: LargeBody, answer: () => Promise<T>): Promise<T> {
    // Behind a proxy that is not known as one, everybody comes from the same private address.
    const network = isPublicAddress(address) ? networkOf(address) : null;
    const inPlace = () => this.#places.run({ owner: account }, () => this.#read({ body, account, network }, answer));
    return network === null ? inPlace() : this.#ofNetworks.run({ owner: network }, inPlace);
  }

  async #read<T>(of: Omit<Reading, 'since'>, answer: () => Promise<T>): Promise<T> {
    const reading = { ...of, since: performance.now() };
    this.#readings.add(reading);
    this.#looking ??= setInterval(() => this.#endSlowest(), lookEvery).unref();
    try {
      return await answer();
    } finally {
      this.#readings.delete(reading);
      if (this.#readings.size === 0) {
        clearInterval(this.#looking);
        this.#looking = undefined;
      }
    }
  }

  #endSlowest(): void {
    const now = performance.now();
    const slow = [...this.#readings].flatMap(({ body, account, network, since }) => {
      const isWanted = this.#places.isWanted(account) || (network !== null && this.#ofNetworks.isWanted(network));
      const pace = body ? (body.received / (now - since)) * 1000 : 0;
      return isWanted && body && !body.isComplete && now - since >= patience && pace < fastEnough ? [{ body, pace }] : [];
    });
    const [slowest] = slow.sort((one, other) => one.pace - other.pace);
    slowest?.body.end();
  }
}

interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

function isLarge(headers: RequestHeaders): boolean {
  const length = headers.get('content-length');
  return length === null ? headers.has('transfer-encoding') : Number(length) >= largeFrom;
}

/** Whose body it is. */
export interface LargeBody {
  /** The account that sends it, or answers for the business whose key does. */
  account: string;
  /** The client's IP address. */
  address: string;
  body: MeasuredBody | null;
}

/**
 * Runs `answer`; for a large body, after waiting for a place.
 * @throws QueueFull if the queue is full, or the wait too long
 */
export function withBodyPlace<T>(headers: RequestHeaders, sent: LargeBody, answer: () => Promise<T>): Promise<T> {
  return isLarge(headers) ? oncePerProcess('large-bodies', () => new Places()).run(sent, answer) : answer();
}
