import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { certificateFiles } from './certificates.ts';
import type { PublicationKey } from './publication-key.ts';
import { type PortName, type ServiceName, portNames, serviceNames } from './service-names.ts';

export type EgressProfile = 'strict' | 'development';

/** Everything that the services must know about each other and their stores. */
export interface System {
  readonly ports: Readonly<Record<PortName, number>>;
  readonly serviceTokens: Readonly<Record<ServiceName, string>>;
  readonly databases: { readonly control: string; readonly vault: string };
  /** The same without the pooler that `databases` lead to; undefined: there is none. */
  readonly directDatabases?: System['databases'] | undefined;
  /** The same by the roles that own them; undefined: services migrate as the roles that they have. */
  readonly migrationDatabases?: System['databases'] | undefined;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  /** The vault's key-encryption key. */
  readonly keyFile: string;
  /** Signs what control-api publishes. */
  readonly publicationKey: PublicationKey;
  /** The folder in which services keep what is published; without it they do not. */
  readonly snapshots?: string;
  /** The folder of the services' certificates; without it they use plaintext. */
  readonly certificates?: string;
  readonly egressProfile: EgressProfile;
  readonly publicBaseUrl: string;
  readonly logLevel: string;
  /** Passed to every service unchanged. */
  readonly passedOn: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string>>;

const loopback = '127.0.0.1';

/** The whole environment of each service. They get nothing else of ours. */
export function serviceEnvironments(system: System): Readonly<Record<ServiceName, Environment>> {
  const { ports, egressProfile } = system;
  const redis = { REDIS_URL: system.redisUrl, REDIS_PREFIX: system.redisPrefix };
  const vault = { VAULT_ADDRESS: `${loopback}:${ports['token-vault']}` };
  const runner = { RUNNER_ADDRESS: `${loopback}:${ports['reactor-runner']}` };
  const egress = { EGRESS_PROFILE: egressProfile, EGRESS_DENY_LOCAL_PORTS: ownPorts(system) };
  const http = (name: ServiceName) => ({ HTTP_HOST: loopback, HTTP_PORT: String(ports[name]) });
  const docs = { DOCS_URL: docsUrl(system) };
  const grpc = (name: ServiceName) => ({ GRPC_HOST: loopback, GRPC_PORT: String(ports[name]) });
  return {
    'token-vault': {
      ...common(system, 'token-vault'),
      ...snapshot(system, 'token-vault'),
      ...grpc('token-vault'),
      ...redis,
      ...databaseOf(system, 'vault'),
      KEY_FILE: system.keyFile,
      PEERS: peers(system, ['control-api', 'proxy-gateway', 'reactor-runner']),
    },
    'reactor-runner': {
      ...common(system, 'reactor-runner'),
      ...snapshot(system, 'reactor-runner'),
      ...grpc('reactor-runner'),
      ...redis,
      ...vault,
      ...egress,
      ...docs,
      PEERS: peers(system, ['control-api', 'proxy-gateway']),
      WORKERS: '2',
    },
    'control-api': {
      ...common(system, 'control-api'),
      ...http('control-api'),
      ...redis,
      ...vault,
      ...runner,
      ...egress,
      ...databaseOf(system, 'control'),
      PUBLICATION_KEY_FILE: system.publicationKey.keyFile,
      ...docs,
      // The management key is in the terminal already.
      CONSOLE_KEY_SIGN_IN: 'true',
      CONSOLE_URL: docsUrl(system).replace(/\/docs$/, '/console'),
    },
    'proxy-gateway': {
      ...common(system, 'proxy-gateway'),
      ...snapshot(system, 'proxy-gateway'),
      ...http('proxy-gateway'),
      ...redis,
      ...vault,
      ...runner,
      ...egress,
      ...docs,
    },
  };
}

const passedOnNames = new Set([
  'ALLOWED_ORIGINS',
  'PATH',
  'TZ',
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'BT_ALIASES',
  'EGRESS_ALLOW_CIDRS',
  'EGRESS_ALLOW_HOSTS',
  'EPHEMERAL_PROXIES',
  'TRUSTED_HOPS',
  'WARM_UP_MS',
]);

/**
 * The variables of our own environment that the services get: telemetry export, trusted certificates, the time zone,
 * Node's own options, and switches and limits of the API.
 */
export function passedOnVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (passedOnNames.has(name) || /^(MAX|OTEL|RATE_LIMIT)_/.test(name)))
      passed[name] = value;
  }
  return passed;
}

/** Where control-api shows the documentation. */
export function docsUrl({ publicBaseUrl }: System): string {
  return `${publicBaseUrl}/docs`;
}

export function readyUrl(ports: System['ports'], name: ServiceName): string {
  return `http://${loopback}:${ports[`${name}-metrics`]}/readyz`;
}

function common(system: System, name: ServiceName): Environment {
  return {
    // Nobody waits for the first requests here, and everybody for the start.
    WARM_UP_MS: '0',
    ...system.passedOn,
    NODE_ENV: 'development',
    LOG_LEVEL: system.logLevel,
    METRICS_HOST: loopback,
    METRICS_PORT: String(system.ports[`${name}-metrics`]),
    SERVICE_TOKEN: system.serviceTokens[name],
    PUBLICATION_PUBLIC_KEYS: system.publicationKey.publicKeys,
    ...certificatesOf(system, name),
    SHUTDOWN_TIMEOUT_MS: '8000',
  };
}

function databaseOf(system: System, name: keyof System['databases']): Environment {
  const { databases, directDatabases, migrationDatabases } = system;
  return {
    DATABASE_URL: databases[name],
    ...(directDatabases && { DATABASE_DIRECT_URL: directDatabases[name] }),
    ...(migrationDatabases && { MIGRATION_DATABASE_URL: migrationDatabases[name] }),
  };
}

function snapshot({ snapshots }: System, name: ServiceName): Environment {
  return snapshots === undefined ? {} : { REGISTRY_SNAPSHOT_DIR: join(snapshots, name) };
}

function certificatesOf({ certificates }: System, name: ServiceName): Environment {
  if (certificates === undefined) return {};
  const { caFile, certFile, keyFile } = certificateFiles(certificates, name);
  return { GRPC_TLS_CA_FILE: caFile, GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile };
}

/**
 * Ports that tenants may not reach, although they may reach this machine in development: all but those of test
 * destinations.
 */
function ownPorts({ ports }: System): string {
  return portNames
    .filter((name) => name !== 'destination')
    .map((name) => ports[name])
    .join(',');
}

/** The callers of a service: it gets only the hashes of their tokens. */
function peers(system: System, callers: readonly ServiceName[]): string {
  return serviceNames
    .filter((name) => callers.includes(name))
    .map((name) => `${name}=${createHash('sha256').update(system.serviceTokens[name]).digest('hex')}`)
    .join(',');
}
