import { randomUUID } from 'node:crypto';

const sane = /^[A-Za-z0-9._:=+/-]{1,128}$/;

/** The caller's own request id where it is a sane one, else a new one (contract section 2). */
export function requestIdOf(header: string | null | undefined): string {
  return header && sane.test(header) ? header : randomUUID();
}
