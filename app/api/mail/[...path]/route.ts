import { answerMailFiles } from '@/server/api/mail-files';
import { overWeb } from '@/server/api/rest/web-adapter';

const handle = overWeb(answerMailFiles);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as HEAD };
