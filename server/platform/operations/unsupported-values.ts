import type { FieldErrors } from '../errors';

/** Deeper than any document a person writes; protects recursive code from stack overflow. */
const maximumDepth = 64;

/** Limits reported errors, so that a body full of errors does not produce a response many times its size. */
const maximumReported = 100;

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain a NUL character';
  if (!value.isWellFormed()) return 'must not contain an unpaired surrogate';
  return undefined;
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value !== 'number') return undefined;
  const unsafe = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return unsafe ? 'is a larger number than can be kept exactly' : undefined;
}

function keyProblem(key: string): string | undefined {
  // Assigning this key sets an object's prototype, so copying code would silently lose it.
  return key === '__proto__' ? 'is a reserved name' : textProblem(key);
}

/** A fast check with the same rules as `findUnsupportedValues`, without building paths, which takes most of the time. */
function hasUnsupportedValue(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return valueProblem(value) !== undefined;
  if (depth === maximumDepth) return true;
  if (Array.isArray(value)) return value.some((item) => hasUnsupportedValue(item, depth + 1));
  for (const key of Object.keys(value)) {
    if (keyProblem(key) !== undefined || hasUnsupportedValue((value as Record<string, unknown>)[key], depth + 1)) return true;
  }
  return false;
}

/**
 * Finds values in parsed JSON that PostgreSQL's text and jsonb or a JavaScript number can't represent: NUL characters, unpaired
 * surrogates, inexact numbers, and excessive nesting.
 * @returns reasons by dotted path, or undefined if there are none.
 */
export function findUnsupportedValues(input: unknown): FieldErrors | undefined {
  return hasUnsupportedValue(input, 0) ? describeUnsupportedValues(input) : undefined;
}

/** Iterative, since the sender controls the depth. */
function describeUnsupportedValues(input: unknown): FieldErrors {
  // Without a prototype, so that `__proto__` is an ordinary key.
  const fields: FieldErrors = Object.create(null);
  let found = 0;
  const report = (path: string, why: string | undefined) => {
    if (why === undefined || found === maximumReported) return;
    fields[path === '' ? 'body' : path] = why;
    found++;
  };
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined && found < maximumReported; next = pending.pop()) {
    const { value, path, depth } = next;
    report(path, valueProblem(value));
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maximumDepth) {
      report(path, `is nested more than ${maximumDepth} levels deep`);
      continue;
    }
    const join = path === '' ? '' : `${path}.`;
    for (const key of Object.keys(value)) {
      const problem = Array.isArray(value) ? undefined : keyProblem(key);
      if (problem) report(join + key.replaceAll('\0', '␀').toWellFormed(), problem);
      else pending.push({ value: (value as Record<string, unknown>)[key], path: join + key, depth: depth + 1 });
    }
  }
  return fields;
}
