/**
 * The path of a request as the log may have it: no query, and nothing that is a credential.
 *
 * @param secrets prefixes, with a slash at their end, below which the path is one
 */
export function loggedPath(url: string, secrets: readonly string[]): string {
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const prefix = secrets.find((secret) => path.startsWith(secret));
  return prefix === undefined ? path : `${prefix}…`;
}
