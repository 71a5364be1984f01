import { alignEventClock } from '../features/events/event-jobs.service';
import { overrideEnv, publishEnvForLibraries } from '../platform/env';
import { isAppError } from '../platform/errors';
import { openDatabaseForCommand } from '../platform/open-database';
import { commands, describeRefusal, UsageError, usage } from './commands';
import { isGiven, withPasswordFromStdin } from './password-from-stdin';

/**
 * The operator's command line (contract section 1): one JSON object on stdout, errors on stderr with exit status 1. Works with
 * or without a running server.
 */
async function main(args: string[]): Promise<number> {
  const [noun, verb, ...rest] = args;
  const command = commands[`${noun} ${verb}`];
  if (!command) {
    process.stderr.write(usage());
    return 1;
  }
  const input = command.parse(await withPasswordFromStdin(command.passwordOption, rest, process.stdin));
  if (command.passwordOption && isGiven(command.passwordOption, rest)) {
    process.stderr.write(`${command.passwordOption} is discouraged: others can read it. Use --password-stdin.\n`);
  }
  // Programs read the output, so only fatal errors may appear on stderr.
  overrideEnv({ LOG_LEVEL: 'fatal', DATABASE_POOL_SIZE: 2 });
  publishEnvForLibraries();
  const database = command.opensDatabase === false ? null : await openDatabaseForCommand();
  try {
    // A command may be the first to write an event after a restore.
    if (database) await alignEventClock();
    process.stdout.write(`${JSON.stringify(await command.run(input))}\n`);
    return 0;
  } finally {
    await database?.close();
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (isAppError(error)) return describeRefusal(error);
  return error instanceof Error ? error.message : String(error);
}

main(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
