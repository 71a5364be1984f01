import { answerMailFiles } from '@/server/features/mail/mail-files';
import { overWeb } from '@/server/platform/rest/web-adapter';

const handle = overWeb(answerMailFiles);

/** server/process.ts answers these itself; this is for a host where Next.js owns the port. */
export { handle as GET, handle as HEAD };
