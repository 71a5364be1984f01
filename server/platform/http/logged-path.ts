/**
 * The path of a request for the log, without query and credentials.
 * @param secrets prefixes with a trailing slash, below which the path is a credential
 */
export function loggedPath(url: string, secrets: readonly string[]): string {
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const prefix = secrets.find((secret) => path.startsWith(secret));
  return prefix === undefined ? path : `${prefix}…`;
}
