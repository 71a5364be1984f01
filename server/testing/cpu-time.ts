/** Milliseconds that this process has computed for `work`: unlike the time that has passed, it depends on no other program. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
