import { type FreezingProxy, startFreezingProxy } from '@/server/testing/freezing-proxy';

/** A proxy between an installation and its database that can stop forwarding without closing connections. */
export type DatabaseProxy = FreezingProxy;

export function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  return startFreezingProxy(databaseUrl);
}
