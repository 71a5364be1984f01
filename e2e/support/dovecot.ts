import * as testing from '@/server/testing/dovecot';
import { makeDataDir } from './installation';

export { dovecot, startDovecot, type TestDovecot } from '@/server/testing/dovecot';

/** Settings of a product that trusts the certificate of `startDovecot`, and may connect to it. */
export const settingsForDovecot = async () => testing.settingsForDovecot(await makeDataDir());
