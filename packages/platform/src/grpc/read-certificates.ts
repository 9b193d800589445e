import { X509Certificate, constants, createHash, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';

import { codeOf } from '../errors/code-of.ts';
import { ConfigError } from '../settings/config-error.ts';
import { serviceOf } from './identity.ts';
import type { GrpcTlsConfig } from './tls-settings.ts';

export interface CertificateSet {
  readonly context: SecureContextOptions;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Of all three files together. */
  readonly digest: string;
}

/**
 * Reads authorities, certificate and key, and checks that they fit together and name `service`.
 * @throws ConfigError with every problem and its setting
 */
export async function readCertificates(config: GrpcTlsConfig, service: string): Promise<CertificateSet> {
  const problems: string[] = [];
  const texts = await Promise.all(
    [
      read('GRPC_TLS_CA_FILE', config.caFile),
      read('GRPC_TLS_CERT_FILE', config.certFile),
      read('GRPC_TLS_KEY_FILE', config.keyFile),
    ].map((reading) => reading.catch((error: Error) => void problems.push(error.message))),
  );
  const [ca, cert, key] = texts;
  if (ca === undefined || cert === undefined || key === undefined) throw new ConfigError(problems);
  const note = (check: () => void) => {
    try {
      check();
    } catch (error) {
      problems.push((error as Error).message);
    }
  };
  note(() => parseAll('GRPC_TLS_CA_FILE', ca));
  let own: X509Certificate | undefined;
  note(() => (own = identified(parseAll('GRPC_TLS_CERT_FILE', cert)[0], config.identityPrefix, service)));
  note(() => checkKey(key, own));
  if (own === undefined || problems.length > 0) throw new ConfigError(problems);
  return {
    context: {
      ca,
      cert,
      key,
      minVersion: 'TLSv1.3',
      // A resumed session would outlive its certificate.
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
    expiresAt: own.validToDate.getTime(),
    digest: createHash('sha256').update(ca).update(cert).update(key).digest('hex'),
  };
}

async function read(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    throw new Error(`${setting}: ${file} cannot be read (${code})`, { cause: error });
  }
}

/** All certificates: a damaged one in the middle would cut the list unnoticed. */
function parseAll(setting: string, text: string): X509Certificate[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error(`${setting}: it contains no certificate`);
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch (error) {
    throw new Error(`${setting}: it contains something other than certificates`, { cause: error });
  }
}

function identified(own: X509Certificate | undefined, prefix: string, service: string): X509Certificate {
  if (own !== undefined && serviceOf(own, prefix) === service) return own;
  const names = own?.subjectAltName ?? 'none';
  throw new Error(`GRPC_TLS_CERT_FILE: its URI must be ${prefix}${service}, and its names are ${names}`);
}

function checkKey(pem: string, own: X509Certificate | undefined): void {
  const key = privateKey(pem);
  if (own === undefined || own.checkPrivateKey(key)) return;
  throw new Error('GRPC_TLS_KEY_FILE: it is not the key of the certificate in GRPC_TLS_CERT_FILE');
}

function privateKey(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new Error('GRPC_TLS_KEY_FILE: it holds no private key that can be used', { cause: error });
  }
}
