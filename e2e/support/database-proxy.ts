import { type FreezingProxy, startFreezingProxy } from '@/server/testing/freezing-proxy';

/** What stands between an installation and its database, and may stop forwarding without a word. */
export type DatabaseProxy = FreezingProxy;

export function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  return startFreezingProxy(databaseUrl);
}
