/**
 * Ends this process like SIGTERM when its parent npm is gone: npm passes a signal on to the shell in between, and the shell
 * ends without forwarding it.
 */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
