import { expect, it } from 'vitest';
import { fileProblem, uploadReason } from './file-upload';

const maximum = 10 * 1024 * 1024;
const refusal = (code: string, fields: object = {}) => Object.assign(new Error('m'), { data: { code, details: { fields } } });

it('sends nothing that is empty or too large', () => {
  expect(fileProblem({ size: 0 }, maximum)).toBe('The file is empty.');
  expect(fileProblem({ size: maximum }, maximum)).toBeNull();
  expect(fileProblem({ size: maximum + 1 }, maximum)).toMatch(/^10\.1 MB is over the 10 MB limit/);
});

it('says in a sentence why a picture was not taken', () => {
  const reasonOf = (error: unknown) => uploadReason(error, maximum);
  expect(reasonOf(refusal('invalid_request', { content: 'This is not an image.' }))).toBe('This is not an image.');
  expect(reasonOf(refusal('invalid_request', { content: 'must be base64' }))).toBe('The file must be base64.');
  expect(reasonOf(refusal('payload_too_large'))).toMatch(/over the 10 MB limit/);
  expect(reasonOf(new TypeError('Failed to fetch'))).toMatch(/could not be reached/);
});
