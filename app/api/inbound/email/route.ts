import { answerInboundEmail } from '@/server/api/inbound-email';
import { overWeb } from '@/server/api/rest/web-adapter';

const handle = overWeb(answerInboundEmail);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as POST };
