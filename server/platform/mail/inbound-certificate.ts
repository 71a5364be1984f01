import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigurationError, env } from '../env';
import { log } from '../log';

/** Certificate and key for STARTTLS (RFC 3207), in PEM. */
export interface InboundCertificate {
  /** The certificate, followed by its chain. */
  cert: Buffer;
  key: Buffer;
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`${setting}: can't read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parse<T>(setting: string, file: string, what: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new ConfigurationError(`${setting}: ${file} does not hold ${what}.`);
  }
}

/**
 * Reads the files of INBOUND_TLS_CERT and INBOUND_TLS_KEY; null if not set.
 * @throws ConfigurationError in one line that names the invalid setting
 */
export function readInboundCertificate(): InboundCertificate | null {
  const { INBOUND_TLS_CERT: certFile, INBOUND_TLS_KEY: keyFile } = env();
  if (certFile === undefined || keyFile === undefined) return null;
  const [cert, key] = [read('INBOUND_TLS_CERT', certFile), read('INBOUND_TLS_KEY', keyFile)];
  const certificate = parse('INBOUND_TLS_CERT', certFile, 'a certificate in PEM form', () => new X509Certificate(cert));
  const privateKey: KeyObject = parse('INBOUND_TLS_KEY', keyFile, 'a private key in PEM form without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigurationError(
      `INBOUND_TLS_CERT and INBOUND_TLS_KEY do not belong together: ${keyFile} is not the key of ${certFile}.`,
    );
  try {
    // Checks what only OpenSSL refuses: a key that is too small, an unreadable chain.
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigurationError(`INBOUND_TLS_CERT and INBOUND_TLS_KEY can't be used: ${(error as Error).message}.`);
  }
  const validTo = new Date(certificate.validTo);
  if (validTo.getTime() < Date.now()) log().warn({ file: certFile, validTo }, 'the certificate of INBOUND_TLS_CERT has expired');
  return { cert, key };
}
