import { expect, it } from 'vitest';
import { pictureProblem, uploadReason } from './upload-picture';

const refusal = (code: string, fields: object = {}) => Object.assign(new Error('m'), { data: { code, details: { fields } } });

it('sends nothing that is empty or too large', () => {
  expect(pictureProblem({ size: 0 })).toBe('The file is empty.');
  expect(pictureProblem({ size: 10 * 1024 * 1024 })).toBeNull();
  expect(pictureProblem({ size: 10 * 1024 * 1024 + 1 })).toMatch(/^10\.1 MB is over the 10 MB limit/);
});

it('says in a sentence why a picture was not taken', () => {
  expect(uploadReason(refusal('invalid_request', { content: 'This is not an image.' }))).toBe('This is not an image.');
  expect(uploadReason(refusal('invalid_request', { content: 'must be base64' }))).toBe('The file must be base64.');
  expect(uploadReason(refusal('payload_too_large'))).toMatch(/over the 10 MB limit/);
  expect(uploadReason(new TypeError('Failed to fetch'))).toMatch(/could not be reached/);
});
