/** The fields of the sign-in form. */
export interface Credentials {
  email: string;
  password: string;
  code: string;
}
