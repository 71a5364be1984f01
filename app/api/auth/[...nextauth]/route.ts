import { answerAuth } from '@/server/api/auth-endpoint';
import { overWeb } from '@/server/api/rest/web-adapter';

const handle = overWeb(answerAuth);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as HEAD, handle as POST };
