/** The provider of single sign-on that journeys sign in with. */
export { startOidcProvider, type TestProvider } from '@/server/testing/oidc-provider';
