/**
 * Ends this process like SIGTERM when the one that started it is gone. Under npm, since npm passes a signal on to the shell in
 * between, and the shell ends without forwarding it. And where STOP_WITH_PARENT is the id of that process: tests set it.
 */
export function stopWithParent() {
  const { STOP_WITH_PARENT, npm_lifecycle_event } = process.env;
  // Not for those that this process starts.
  delete process.env.STOP_WITH_PARENT;
  const parent = Number(STOP_WITH_PARENT) || (npm_lifecycle_event ? process.ppid : 0);
  if (parent === 0) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
