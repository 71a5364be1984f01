/**
 * The keys of a record that has one for every value of a type, in the order they stand. A list's page takes its statuses from its words
 * for them: the schema that declares them would bring the whole of zod along.
 */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}
