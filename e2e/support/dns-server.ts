import { startTestDnsServer, type TestDnsServer } from '@/server/testing/dns-server';

/** A DNS server outside the installation, for its `DNS_SERVERS` setting. */
export type OutsideDnsServer = TestDnsServer;

export function startOutsideDnsServer(): Promise<OutsideDnsServer> {
  return startTestDnsServer();
}
