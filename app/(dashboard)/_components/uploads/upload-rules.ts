import { fileProblem } from '@/app/_kit/file-upload';
import { attachmentsMaximumBytes, uploadMaximumBytes } from '@/server/features/conversations/message.schema';

/** The maximum number of attachments of an email. */
const attachmentsMaximum = 50;

type Sized = Pick<File, 'size'>;

/**
 * Why files can't be attached to an email beside those that it has: one reason for each file, null for those that can.
 *
 * @param present the attachments of the email, and the files that are being uploaded
 */
export function attachmentProblems(files: readonly Sized[], present: readonly Sized[]): (string | null)[] {
  let count = present.length;
  let total = present.reduce((sum, { size }) => sum + size, 0);
  return files.map(({ size }) => {
    const problem = fileProblem({ size }, uploadMaximumBytes);
    if (problem !== null) return problem;
    if (count >= attachmentsMaximum) return `An email can have up to ${attachmentsMaximum} attachments.`;
    if (total + size > attachmentsMaximumBytes) {
      return `All attachments together are over the ${attachmentsMaximumBytes / 1024 / 1024} MB limit.`;
    }
    count += 1;
    total += size;
    return null;
  });
}
