/**
 * The keys of a record that has one for every value of a type, in their order. A list's page takes its statuses from their
 * labels: the schema that declares them would import all of zod.
 */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}
