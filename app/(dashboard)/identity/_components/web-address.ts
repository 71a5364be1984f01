/** A host name with a dot, and what may follow it in an address. */
const bareAddress = /^[^\s/:@?#]+\.[^\s/:@?#]+(:\d+)?([/?#]\S*)?$/;

/**
 * A web address as people type it, "kettlegrain.example" or "//kettlegrain.example", with the scheme that the API asks for. Whatever
 * else it is stays as it is, for the schema to refuse.
 */
export function withScheme(typed: string): string {
  const address = typed.replace(/^\/\//, '');
  return bareAddress.test(address) ? `https://${address}` : typed;
}
