import type { FieldErrors } from '../errors';

/** Deeper nesting than any document a person writes; keeps recursive code further in safe from stack overflow. */
const maximumDepth = 64;

/** Enough to see what is wrong; a body of nothing but mistakes must not make an answer many times its size. */
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

/** True where `findUnstorable` would find something: the same rules without the paths, which take most of the time to make. */
function hasUnstorable(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return valueProblem(value) !== undefined;
  if (depth === maximumDepth) return true;
  if (Array.isArray(value)) return value.some((item) => hasUnstorable(item, depth + 1));
  for (const key of Object.keys(value)) {
    if (keyProblem(key) !== undefined || hasUnstorable((value as Record<string, unknown>)[key], depth + 1)) return true;
  }
  return false;
}

/**
 * Looks through parsed JSON for what PostgreSQL's text and jsonb or a JavaScript number can't hold: NUL characters, unpaired
 * surrogates, numbers beyond exactness, and nesting without end.
 *
 * @returns reasons by dotted path, or undefined where all is well.
 */
export function findUnstorable(input: unknown): FieldErrors | undefined {
  return hasUnstorable(input, 0) ? describeUnstorable(input) : undefined;
}

/** Iterative, since the depth is the sender's choice. */
function describeUnstorable(input: unknown): FieldErrors {
  // Without a prototype, so that `__proto__` is a key like any other.
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
