import type { AnswerParts } from '../trpc/trpc';

/** What a procedure adds to a REST answer. Hardly any adds a header, so a list of them is made only for one that does. */
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
