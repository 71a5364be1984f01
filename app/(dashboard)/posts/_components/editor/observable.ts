/** A state that is replaced as a whole, and tells when it is; what `useSyncExternalStore` reads. */
export class Observable<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  view = (): State => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  protected show(state: State): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
