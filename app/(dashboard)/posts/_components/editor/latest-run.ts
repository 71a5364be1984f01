interface LatestRunOptions<Input, Output> {
  /** How long nothing may have been asked for before it begins, in milliseconds. */
  pause: number;
  /** How long after a failure it is tried again, in milliseconds. */
  retry: number;
  run: (input: Input) => Promise<Output>;
  onDone: (output: Output) => void;
  onFailed: (error: unknown) => void;
}

/**
 * Runs something for the latest of many inputs: once they pause, one run at a time, and again after a failure. While a run is
 * under way newer inputs wait for it, so that a slow server never has two requests, and an older answer never comes last.
 */
export function latestRun<Input, Output>({ pause, retry, run, onDone, onFailed }: LatestRunOptions<Input, Output>) {
  let wanted: { input: Input } | null = null;
  let isRunning = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const begin = async () => {
    clearTimeout(timer);
    if (isRunning || isStopped || !wanted) return;
    const current = wanted;
    isRunning = true;
    try {
      const output = await run(current.input);
      if (wanted === current) wanted = null;
      if (!isStopped) onDone(output);
    } catch (error) {
      if (!isStopped) onFailed(error);
      timer = setTimeout(() => void begin(), retry);
    } finally {
      isRunning = false;
    }
    if (wanted && wanted !== current) timer = setTimeout(() => void begin(), 0);
  };

  return {
    ask(input: Input): void {
      wanted = { input };
      clearTimeout(timer);
      timer = setTimeout(() => void begin(), pause);
    },
    /** Without waiting, as when the connection is back. */
    now: () => void begin(),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
