import type { StatementRunner } from '../db/transaction';

/**
 * Jobs: what the process does by itself, at once, later or again and again (docs/adr/0036). A job is added in the transaction that causes
 * it, runs on one server, and at least once: after a failure or the end of its process it is run again.
 */

/**
 * Slots in each process, by what jobs wait for, so that those which wait for other systems do not hold up others; and how many with the
 * same destination run at a time, over all processes.
 */
export const lanes = {
  shared: { slots: 6, perDestination: 1 },
  mail: { slots: 5, perDestination: 5 },
  'account-mail': { slots: 2, perDestination: 2 },
  // With attachments, which may take minutes.
  'large-mail': { slots: 5, perDestination: 5 },
  // By the servers of mailboxes, which may be slow; for each business.
  'mailbox-mail': { slots: 40, perDestination: 4 },
  // More than the webhooks of one business can use, which are ten.
  outbound: { slots: 60, perDestination: 5 },
  slow: { slots: 60, perDestination: 5 },
  failing: { slots: 20, perDestination: 1 },
  // Each holds a connection for minutes. More of them take turns.
  mailboxes: { slots: 100, perDestination: 1 },
} as const;

export type Lane = keyof typeof lanes;

/** One run of a job. */
export interface Job<Payload> {
  payload: Payload;
  /** Aborted when the process stops, or when another one has taken the job over. */
  signal: AbortSignal;
}

/** What runs the jobs of a kind. */
export interface JobHandler {
  kind: string;
  /** Those in which its jobs are; the first one by default. */
  lanes: readonly [Lane, ...Lane[]];
  /** When it is due by itself. */
  every?: Every;
  /** False if this process can't run them, for want of a setting: they wait for one that can. */
  isPossible?(): boolean;
  /** True if its jobs mostly wait: they are aborted at once when the server stops. */
  isWaiting?: boolean;
  run(job: Job<unknown>): Promise<unknown>;
}

export interface NewJob<Payload> {
  /** What the job is for. There is one of a kind with this key: a job that waits is replaced, one that runs will run again. */
  key: string;
  payload: Payload;
  /** At once by default. It may run earlier, after a clock was wrong or its server died, so it looks at what is due itself. */
  at?: Date;
  /** In so many seconds. */
  inSeconds?: number;
  /** What it waits for; see `lanes`. */
  destination?: string;
  /** A sooner time that it has already stays. */
  orSooner?: boolean;
  /** Another one of the lanes of its kind. */
  lane?: Lane;
}

/** A kind of job, for those who schedule it. */
export class JobKind<Payload extends object> {
  readonly lanes: readonly [Lane, ...Lane[]];

  constructor(
    readonly kind: string,
    lane: Lane = 'shared',
    ...others: Lane[]
  ) {
    this.lanes = [lane, ...others];
  }

  /** Schedules jobs on the given connection; in a transaction, they exist only if it commits. */
  async schedule(db: StatementRunner, jobs: NewJob<Payload> | readonly NewJob<Payload>[]): Promise<void> {
    const given = [jobs].flat();
    if (given.length === 0) return;
    await db.query({
      name: 'jobs-schedule',
      // In the order of their keys, so that two transactions with the same ones do not wait for each other.
      text: `SELECT schedule_job($1, coalesce(lane, $2), key, payload, coalesce(at, clock_timestamp() + make_interval(secs => "inSeconds")),
          destination, coalesce("orSooner", false))
        FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS given(
          key text, payload jsonb, at timestamptz, "inSeconds" float8, destination text, "orSooner" boolean, lane text
        ) ORDER BY key) jobs`,
      values: [this.kind, this.lanes[0], JSON.stringify(given)],
    });
  }

  /** Removes a job that waits; one that runs goes on. */
  async cancel(db: StatementRunner, key: string): Promise<void> {
    await db.query({
      name: 'job-cancel',
      text: 'DELETE FROM jobs WHERE kind = $1 AND key = $2 AND holder_id IS NULL',
      values: [this.kind, key],
    });
  }

  /** What runs jobs of this kind. */
  handledBy(
    run: (job: Job<Payload>) => Promise<unknown>,
    options: Pick<JobHandler, 'isPossible' | 'isWaiting'> = {},
  ): JobHandler {
    return { kind: this.kind, lanes: this.lanes, run, ...options };
  }
}

/** Removes the jobs of a business that is gone, by the `identityId` of their payload. Those that run end by themselves. */
export async function removeJobsOf(db: StatementRunner, identityId: string): Promise<void> {
  await db.query({
    name: 'jobs-remove',
    text: `DELETE FROM jobs WHERE payload ->> 'identityId' = $1 AND holder_id IS NULL`,
    values: [identityId],
  });
}

/** A rhythm: in seconds, and those by which it is later than midnight of 1 January 1970 UTC, a Thursday. */
export interface Every {
  seconds: number;
  later: number;
}

const [minute, hour, day] = [60, 3_600, 86_400];

export const everyMinutes = (minutes: number, later = 0): Every => ({ seconds: minutes * minute, later: later * minute });
/** Every day at this time in UTC. */
export const daily = (hours: number, minutes: number): Every => ({ seconds: day, later: hours * hour + minutes * minute });
/** Every Sunday at this time in UTC. */
export const onSundays = (hours: number, minutes: number): Every => ({
  seconds: 7 * day,
  later: 3 * day + hours * hour + minutes * minute,
});

/** The key of a standing job. */
export const standingKey = '';

/** A job that is always there. A run that was missed, because no server was up, is made up for once. */
export class StandingJob implements JobHandler {
  readonly lanes = ['shared'] as const;

  constructor(
    readonly kind: string,
    readonly every: Every,
    private readonly work: (signal?: AbortSignal) => Promise<unknown>,
  ) {}

  run({ signal }: Pick<Job<object>, 'signal'>): Promise<unknown> {
    return this.work(signal);
  }

  /** Lets it run at once, too. */
  wake(db: StatementRunner): Promise<void> {
    return new JobKind(this.kind).schedule(db, { key: standingKey, payload: {} });
  }
}
