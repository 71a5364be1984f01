/**
 * Coalesces concurrent calls of `load` with the same key, but without returning a result whose load began before the call:
 * during a load, all new calls wait for the next one. So a result is never older than its request, and a key is never loaded
 * twice concurrently.
 */
export function coalesceLoads<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  interface Call {
    running: Promise<unknown>;
    next: Promise<Value> | null;
  }
  const calls = new Map<string, Call>();

  function start(key: string): Promise<Value> {
    const running = load(key);
    const call: Call = { running, next: null };
    calls.set(key, call);
    const done = () => {
      if (!call.next) calls.delete(key);
    };
    running.then(done, done);
    return running;
  }

  return (key) => {
    const call = calls.get(key);
    if (!call) return start(key);
    const begin = () => start(key);
    call.next ??= call.running.then(begin, begin);
    return call.next;
  };
}
