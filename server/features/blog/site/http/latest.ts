/**
 * Shares calls of `load` among those who ask for the same key at the same time, without anybody getting an answer that was on its way
 * before they asked: while one call is under way, all who come wait for the next one. So an answer is never older than its question,
 * and a key is never loaded twice at once, however many ask.
 */
export function latest<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
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
