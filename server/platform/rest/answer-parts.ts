import type { AnswerParts } from '../operations/operation';

/** Additions of a procedure to its REST response. Headers are rare, so their list is created lazily. */
export class RestAnswerParts implements AnswerParts {
  status?: 200 | 201;
  #headers: Headers | undefined;

  get headers(): Headers {
    this.#headers ??= new Headers();
    return this.#headers;
  }

  addTo(headers: Record<string, string>): void {
    if (!this.#headers) return;
    for (const [name, value] of this.#headers) headers[name] = value;
  }
}
