import { answerAuth } from '@/server/platform/http/auth-endpoint';
import { overWeb } from '@/server/platform/rest/web-adapter';

const handle = overWeb(answerAuth);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as HEAD, handle as POST };
