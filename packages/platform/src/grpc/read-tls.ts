import type { EnvReader } from '../settings/env.ts';

/** Where a service's certificates lie (grpc-certificates.ts). */
export interface GrpcTlsConfig {
  /** PEM: every authority whose certificates are accepted. Two while one takes over from the other. */
  readonly caFile: string;
  /** PEM: the service's certificate, then those between it and its authority. */
  readonly certFile: string;
  /** PEM, PKCS #8. */
  readonly keyFile: string;
  /** What the URI of a certificate starts with before the name of its service. */
  readonly identityPrefix: string;
}

/**
 * Reads whether calls between services are made over mutual TLS: by three files, or by none. Production without them has to be
 * asked for.
 *
 * @returns undefined for calls in plain
 */
export function readGrpcTls(env: EnvReader): GrpcTlsConfig | undefined {
  const caFile = env.optional('GRPC_TLS_CA_FILE');
  const certFile = env.optional('GRPC_TLS_CERT_FILE');
  const keyFile = env.optional('GRPC_TLS_KEY_FILE');
  const identityPrefix = env.string('GRPC_TLS_IDENTITY_PREFIX', 'spiffe://glovebox/');
  const plaintext = env.boolean('GRPC_PLAINTEXT', false);
  if (!/^spiffe:\/\/[a-z0-9._-]+\/([A-Za-z0-9._-]+\/)*$/.test(identityPrefix)) {
    env.problem(
      'GRPC_TLS_IDENTITY_PREFIX must be like spiffe://trust.domain/ or spiffe://trust.domain/path/',
    );
  }
  if (caFile !== undefined && certFile !== undefined && keyFile !== undefined) {
    if (plaintext) env.problem('GRPC_PLAINTEXT cannot be true beside certificates (GRPC_TLS_CERT_FILE)');
    return { caFile, certFile, keyFile, identityPrefix };
  }
  if (caFile !== undefined || certFile !== undefined || keyFile !== undefined) {
    env.problem('GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must be set all three or none');
  } else if (env.optional('NODE_ENV') === 'production' && !plaintext) {
    env.problem(
      'GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are required where NODE_ENV is production, ' +
        'or GRPC_PLAINTEXT=true on a network that carries no secrets in plain (docs/settings.md)',
    );
  }
  return undefined;
}
