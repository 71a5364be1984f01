import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';

/** An external mail server, which the product under test sends to. */
export type OutsideMailServer = TestMailServer;

export function startOutsideMailServer(): Promise<OutsideMailServer> {
  return startTestMailServer();
}
