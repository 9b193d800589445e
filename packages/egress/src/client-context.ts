import { type SecureContext, createSecureContext, getCACertificates } from 'node:tls';

/** PEM text, or PEM or PKCS #12 bytes. */
export type CredentialPart = string | Buffer;

/** What one side of a TLS connection shows and trusts. */
export interface ClientCredentials {
  /** Trusted instead of Node's own certificates. */
  readonly ca?: readonly CredentialPart[];
  /** Certificate chains to show, each with its key. */
  readonly cert?: readonly CredentialPart[];
  readonly key?: readonly CredentialPart[];
  /** Both as PKCS #12. */
  readonly pfx?: readonly CredentialPart[];
  readonly passphrase?: string;
}

/**
 * The TLS context of outgoing connections: TLS 1.2 or newer. Building one parses every trusted certificate that is not
 * Node's own, so it is made once for many connections where it can be.
 *
 * @param extraCaCertificates PEM certificates trusted on top of Node's own; of no account when `credentials.ca` is
 * given.
 * @throws Error of OpenSSL when a part of the credentials cannot be read.
 */
export function createClientContext(
  extraCaCertificates: readonly string[] = [],
  credentials: ClientCredentials = {},
): SecureContext {
  const { ca, cert, key, pfx, passphrase } = credentials;
  const own =
    extraCaCertificates.length === 0 ? undefined : [...getCACertificates('default'), ...extraCaCertificates];
  const trusted = ca ?? own;
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(trusted === undefined ? {} : { ca: [...trusted] }),
    ...(cert === undefined ? {} : { cert: [...cert] }),
    ...(key === undefined ? {} : { key: [...key] }),
    ...(pfx === undefined ? {} : { pfx: [...pfx] }),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
}
