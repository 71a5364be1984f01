import { expect, it } from 'vitest';
import { attachmentProblems } from './upload-rules';

const megabytes = (count: number) => ({ size: count * 1024 * 1024 });

it('refuses files that are empty, too large, or too many together, and counts only those that are attached', () => {
  const files = [megabytes(0), megabytes(11), megabytes(10), megabytes(10), megabytes(1)];
  expect(attachmentProblems(files, [megabytes(5)])).toEqual([
    'The file is empty.',
    '11 MB is over the 10 MB limit.',
    null,
    null,
    'All attachments together are over the 25 MB limit.',
  ]);
  const small = Array.from({ length: 49 }, () => ({ size: 1 }));
  expect(attachmentProblems([{ size: 1 }, { size: 1 }], small)).toEqual([null, 'An email can have up to 50 attachments.']);
});
