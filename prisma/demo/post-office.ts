import { SMTPServer } from 'smtp-server';
import { env, overrideEnv } from '@/server/platform/env';

/**
 * The demo's mail server: it takes what goes out and delivers it to nobody, so that a visitor sees replies being sent without writing
 * to anyone. Addresses at `bounces.example` are refused for good and those at `busy.example` for now, to show what that looks like.
 */
export async function startPostOffice(): Promise<void> {
  if (env().SMTP_URL !== undefined) return;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = (responseCode: number, message: string) => done(Object.assign(new Error(message), { responseCode }));
      if (address.endsWith('@bounces.example')) return refusal(550, '5.1.1 This mailbox does not exist');
      if (address.endsWith('@busy.example')) return refusal(451, '4.3.2 Busy, come back later');
      done();
    },
    onData: (stream, _session, done) => {
      stream.on('end', () => done(null, '2.0.0 Taken by the demo, delivered to nobody'));
      stream.resume();
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  // The process ends without waiting for it.
  server.server.unref();
  overrideEnv({ SMTP_URL: `smtp://127.0.0.1:${port}` });
}
