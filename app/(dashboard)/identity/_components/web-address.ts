/** A host name with a dot, and an optional path. */
const bareAddress = /^[^\s/:@?#]+\.[^\s/:@?#]+(:\d+)?([/?#]\S*)?$/;

/**
 * A web address as typed, "kettlegrain.example" or "//kettlegrain.example", with the scheme that the API requires. Anything
 * else stays unchanged, for the schema to refuse.
 */
export function withScheme(typed: string): string {
  const address = typed.replace(/^\/\//, '');
  return bareAddress.test(address) ? `https://${address}` : typed;
}
