import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';

/** An external mail server, which the product under test sends to. */
export type OutsideMailServer = TestMailServer;

/** @param submission without it, everybody may send */
export function startOutsideMailServer(submission?: Parameters<typeof startTestMailServer>[0]): Promise<OutsideMailServer> {
  return startTestMailServer(submission);
}
