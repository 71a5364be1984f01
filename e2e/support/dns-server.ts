import { startTestDnsServer, type TestDnsServer } from '@/server/testing/dns-server';

/** A DNS server of the outside world, for an installation with `DNS_SERVERS`. */
export type OutsideDnsServer = TestDnsServer;

export function startOutsideDnsServer(): Promise<OutsideDnsServer> {
  return startTestDnsServer();
}
