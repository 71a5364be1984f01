import { overWeb } from '@/server/platform/rest/web-adapter';
import { answerTrpc } from '@/server/platform/trpc/trpc-endpoint';

const handle = overWeb(answerTrpc);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as POST };
