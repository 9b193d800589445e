import { X509Certificate, constants, createHash, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';

import { serviceOf } from './grpc-identity.ts';
import type { GrpcTlsConfig } from './read-grpc-tls.ts';

export interface CertificateSet {
  readonly context: SecureContextOptions;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Of all three files together. */
  readonly digest: string;
}

/**
 * Reads authorities, certificate and key, and checks that they belong together and to `service`.
 * @throws Error that names the setting and says what is wrong with its file
 */
export async function readCertificates(config: GrpcTlsConfig, service: string): Promise<CertificateSet> {
  const [ca, cert, key] = await Promise.all([
    read('GRPC_TLS_CA_FILE', config.caFile),
    read('GRPC_TLS_CERT_FILE', config.certFile),
    read('GRPC_TLS_KEY_FILE', config.keyFile),
  ]);
  // All of them: a damaged one in the middle would end the list unnoticed.
  for (const authority of pemCertificates(ca)) parse('GRPC_TLS_CA_FILE', authority);
  for (const between of pemCertificates(cert).slice(1)) parse('GRPC_TLS_CERT_FILE', between);
  const own = parse('GRPC_TLS_CERT_FILE', pemCertificates(cert)[0] ?? '');
  if (pemCertificates(ca).length === 0) throw new Error('GRPC_TLS_CA_FILE: there is no certificate in it');
  const named = serviceOf(own, config.identityPrefix);
  if (named !== service) {
    const expected = `${config.identityPrefix}${service}`;
    throw new Error(
      `GRPC_TLS_CERT_FILE: its URI must be ${expected}, and its names are ${own.subjectAltName}`,
    );
  }
  if (!own.checkPrivateKey(privateKey(key))) {
    throw new Error('GRPC_TLS_KEY_FILE: it is not the key of the certificate in GRPC_TLS_CERT_FILE');
  }
  return {
    context: {
      ca,
      cert,
      key,
      minVersion: 'TLSv1.3',
      // A session that is resumed would outlive its certificate.
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
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${file} cannot be read (${code})`, { cause: error });
  }
}

function pemCertificates(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function parse(setting: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new Error(`${setting}: it holds something that is no certificate`, { cause: error });
  }
}

function privateKey(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new Error('GRPC_TLS_KEY_FILE: it holds no private key that can be used', { cause: error });
  }
}
