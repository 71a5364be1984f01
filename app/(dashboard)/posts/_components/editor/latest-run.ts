interface LatestRunOptions<Input, Output> {
  /** Milliseconds without new input before it runs. */
  pause: number;
  /** Milliseconds until a retry after a failure. */
  retry: number;
  run: (input: Input) => Promise<Output>;
  onDone: (output: Output) => void;
  onFailed: (error: unknown) => void;
}

/**
 * Runs a function for the latest of many inputs: after a pause, one run at a time, with a retry after a failure. Newer inputs
 * wait for the current run, so that a slow server never has two requests, and an older response never comes last.
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
    /** Runs without waiting, e.g. when the connection is back. */
    now: () => void begin(),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
