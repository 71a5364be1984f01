import { answerInboundEmail } from '@/server/features/mail/inbound-email';
import { overWeb } from '@/server/platform/rest/web-adapter';

const handle = overWeb(answerInboundEmail);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as POST };
