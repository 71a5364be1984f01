import { invalidFields } from '../errors';
import { type Queryable, rows } from './sql';

/** Days that something can be planned ahead. */
const maximumDays = 366;

/**
 * A time that a client has chosen for something to happen, by the clock of the database, as jobs are.
 *
 * @param field its name in the request
 * @throws AppError invalid_request unless it is in the future, at most a year ahead
 */
export async function futureTime(
  db: Queryable,
  field: string,
  { time, inSeconds = 0 }: { time?: string | undefined; inSeconds?: number },
): Promise<Date> {
  const [clock] = await rows<{ time: Date; isPast: boolean; isTooFar: boolean }>(db, {
    name: 'future-time',
    text: `SELECT time, time <= now() AS "isPast", time > now() + interval '${maximumDays} days' AS "isTooFar"
      FROM (SELECT coalesce($1::timestamptz, now() + make_interval(secs => $2)) AS time) given`,
    values: [time ?? null, inSeconds],
  });
  if (!clock) throw new Error('A query without a table has one row.');
  if (clock.isPast) throw invalidFields({ [field]: 'must be in the future' });
  if (clock.isTooFar) throw invalidFields({ [field]: 'must be at most a year ahead' });
  return clock.time;
}
