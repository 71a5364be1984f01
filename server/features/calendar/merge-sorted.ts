/** The next element of a lazily generated, ascending list. */
interface Head<T> {
  value: T;
  rest: Iterator<T>;
}

/**
 * Merges ascending lists and returns the first `maximum` elements. Each list is generated only as far as needed, so thousands
 * of endless lists cost no more than the elements taken from them.
 *
 * @param before true if the first argument sorts before the second
 */
export function mergeSorted<T>(lists: Iterable<Iterable<T>>, before: (a: T, b: T) => boolean, maximum: number): T[] {
  const heap: Head<T>[] = [];
  for (const list of lists) {
    const rest = list[Symbol.iterator]();
    const first = rest.next();
    if (!first.done) push(heap, { value: first.value, rest }, before);
  }
  const taken: T[] = [];
  for (let head = heap[0]; head && taken.length < maximum; head = heap[0]) {
    taken.push(head.value);
    const next = head.rest.next();
    if (next.done) {
      const last = heap.pop();
      if (last === undefined || last === head) continue;
      heap[0] = last;
    } else {
      heap[0] = { value: next.value, rest: head.rest };
    }
    sink(heap, before);
  }
  return taken;
}

type Before<T> = (a: T, b: T) => boolean;

function push<T>(heap: Head<T>[], head: Head<T>, before: Before<T>): void {
  let index = heap.push(head) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (!above || !before(head.value, above.value)) break;
    heap[index] = above;
    heap[parent] = head;
    index = parent;
  }
}

/** Moves the first element of the heap down to its position. */
function sink<T>(heap: Head<T>[], before: Before<T>): void {
  const head = heap[0];
  if (!head) return;
  let index = 0;
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    const child = right && left && before(right.value, left.value) ? 2 * index + 2 : 2 * index + 1;
    const below = heap[child];
    if (!below || !before(below.value, head.value)) return;
    heap[index] = below;
    heap[child] = head;
    index = child;
  }
}
