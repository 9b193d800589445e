import { flag, matching, optional, string } from '../settings/builders.ts';
import { isProduction } from '../settings/common-settings.ts';
import { derived } from '../settings/setting.ts';

/** Files of a service's certificates (certificates.ts). */
export interface GrpcTlsConfig {
  /** PEM: every accepted authority. Two while one replaces the other. */
  readonly caFile: string;
  /** PEM: the service's certificate, then those between it and its authority. */
  readonly certFile: string;
  /** PEM, PKCS #8. */
  readonly keyFile: string;
  /** What the URI of a certificate starts with before the name of its service. */
  readonly identityPrefix: string;
}

const files = {
  caFile: optional(
    'GRPC_TLS_CA_FILE',
    'PEM: every authority whose certificates are accepted; two while one replaces the other',
  ),
  certFile: optional(
    'GRPC_TLS_CERT_FILE',
    'PEM: the service’s certificate, then those between it and its authority',
  ),
  keyFile: optional(
    'GRPC_TLS_KEY_FILE',
    'PEM: the private key. Set all three files or none. The service notices a change of them within 30 s',
  ),
};

const others = {
  identityPrefix: matching(
    string(
      'GRPC_TLS_IDENTITY_PREFIX',
      'Prefix of the one URI of a certificate. The rest is the name of the service, e.g. `token-vault`',
      'spiffe://glovebox/',
    ),
    /^spiffe:\/\/[a-z0-9._-]+\/([A-Za-z0-9._-]+\/)*$/,
    'must be like spiffe://trust.domain/ or spiffe://trust.domain/path/',
  ),
  plaintext: flag(
    'GRPC_PLAINTEXT',
    '`true` lets a service start without the files where `NODE_ENV` is `production`: for networks that encrypt by themselves, such as a mesh',
    false,
  ),
  isProduction,
};

/**
 * Whether calls between services are made over mutual TLS: by three files, or by none. In production, plaintext has to be
 * asked for. Undefined for plaintext.
 */
export const grpcTls = derived({ ...files, ...others }, (tls, problem): GrpcTlsConfig | undefined => {
  const { caFile, certFile, keyFile, identityPrefix } = tls;
  if (caFile !== undefined && certFile !== undefined && keyFile !== undefined) {
    if (tls.plaintext) problem('GRPC_PLAINTEXT cannot be true beside certificates (GRPC_TLS_CERT_FILE)');
    return { caFile, certFile, keyFile, identityPrefix };
  }
  if (caFile !== undefined || certFile !== undefined || keyFile !== undefined) {
    problem('GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must be set all three or none');
  } else if (tls.isProduction && !tls.plaintext) {
    problem(
      'GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are required where NODE_ENV is production, ' +
        'or GRPC_PLAINTEXT=true on a network that carries no secrets in plain (docs/settings.md)',
    );
  }
  return undefined;
});
