import { type RedisTarget, RedisUrlProblem, parseRedisUrl } from '../values/redis-url.ts';
import {
  type IntegerOptions,
  address,
  flag,
  integer,
  matching,
  oneOf,
  port,
  secret,
  string,
  url,
} from './builders.ts';
import { Setting, derived } from './setting.ts';

/** Settings that mean the same in every service that has them. */

const day = 86_400_000;

export const logLevel = oneOf(
  'LOG_LEVEL',
  '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'info',
);

/** Where liveness, readiness and metrics are answered. */
export const internalAddress = (fallback: number) => ({
  host: string('METRICS_HOST', 'Host of the internal port', '127.0.0.1'),
  port: port('METRICS_PORT', 'The internal port: `/livez`, `/readyz` and `/metrics`', fallback),
});

/** In milliseconds. */
export const shutdownTimeout = (range: Pick<IntegerOptions, 'min' | 'max'>) =>
  integer('SHUTDOWN_TIMEOUT_MS', 'How long running requests may take after SIGTERM', {
    default: 10_000,
    ...range,
  });

/** In milliseconds. */
export const drainDelay = integer(
  'DRAIN_DELAY_MS',
  'After SIGTERM the service keeps serving for this long, while `/readyz` answers 503 and each response closes its connection: the time in which load balancers notice. `SHUTDOWN_TIMEOUT_MS` begins afterwards',
  { default: 0, min: 0, max: 300_000 },
);

/** In milliseconds. */
export const warmUpTime = integer(
  'WARM_UP_MS',
  'How long at most a process serves requests of its own before `/readyz` says yes, so that the first ones of others take no longer than later ones. 0: not at all',
  { default: 10_000, min: 0, max: 120_000 },
);

export const nodeEnv = oneOf(
  'NODE_ENV',
  '`development`, `test` or `production`. `production` requires TLS between services and turns off gRPC reflection',
  ['development', 'test', 'production'],
  'development',
);

/** Says nothing about a NODE_ENV that is none of the three. */
export const isProduction = new Setting(nodeEnv.descriptions, (env) => env['NODE_ENV'] === 'production');

const postgresSchemes = ['postgres', 'postgresql'];

export const databaseUrl = (name: string, meaning: string) => url(name, meaning, postgresSchemes);

/** Empty: `DATABASE_URL` leads to the server itself. */
export const databaseDirectUrl = url(
  'DATABASE_DIRECT_URL',
  'The same database without a pooler. Set it if `DATABASE_URL` leads to one that gives connections to transactions, such as PgBouncer in transaction mode. Each vault keeps up to three connections to it, each control-api up to four, and migrations use it unless `MIGRATION_DATABASE_URL` is set',
  postgresSchemes,
  '',
);

/** Empty: migrations run as the role of `DATABASE_URL`. */
export const migrationDatabaseUrl = url(
  'MIGRATION_DATABASE_URL',
  'The same database by the role that owns its tables, which migrates them and gives the role of `DATABASE_URL` its rights. Without it, `DATABASE_URL` migrates if it owns the tables, and otherwise the service waits until they are migrated. It must not lead to a pooler',
  postgresSchemes,
  '',
);

const redisUrl = derived(
  secret(
    'REDIS_URL',
    'Where the configuration is published: `redis://host:port`, `redis-sentinel://host:port,host:port/name` or `redis-cluster://host:port,host:port`, each with `rediss` for TLS ([more](installing.md#redis-with-replicas)). It needs `maxmemory-policy noeviction`',
  ),
  (value, problem) => {
    try {
      if (value.reveal() !== '') parseRedisUrl(value.reveal());
    } catch (error) {
      if (!(error instanceof RedisUrlProblem)) throw error;
      problem(`REDIS_URL ${error.message}`);
    }
    return value;
  },
);

/** Says nothing about a URL that is none: `redisUrl` does. */
const redisKind = new Setting(redisUrl.descriptions, (env): RedisTarget['kind'] => {
  try {
    return parseRedisUrl(env['REDIS_URL'] ?? '').kind;
  } catch {
    return 'server';
  }
});

const replicas = integer(
  'REDIS_WAIT_REPLICAS',
  'How many replicas must have what only Redis holds before the answer to a request relies on it. A request is a 503 if they do not get it. It counts in a cluster and behind sentinels',
  { default: 1, min: 0, max: 5 },
);

export const redis = {
  url: redisUrl,
  // Other characters have a meaning in the patterns of Redis, and in the tags of a cluster.
  prefix: matching(
    string('REDIS_PREFIX', 'Start of every name in Redis', 'glovebox'),
    /^[A-Za-z0-9:_-]{1,64}$/,
    'must be 1 to 64 letters, digits, :, _ or -',
  ),
  /** Names have tags then. */
  isCluster: derived(redisKind, (kind) => kind === 'cluster'),
  waitReplicas: derived({ redisKind, replicas }, ({ redisKind: kind, replicas: count }) =>
    kind === 'server' ? 0 : count,
  ),
};

export const serviceToken = secret(
  'SERVICE_TOKEN',
  'The token by which the service authenticates itself to other services',
);

/** Absolute and without a slash at its end. */
export const docsUrl = derived(
  string(
    'DOCS_URL',
    'Where clients reach the `/docs` of control-api: the start of the `doc_url` of each error',
    'http://localhost:8080/docs',
  ),
  (value, problem) => {
    const text = value.replace(/\/+$/, '');
    if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text))
      problem('DOCS_URL must be a URL that starts with https:// or http://, without ? and #');
    return text;
  },
);

const requests = { default: 0, min: 0, max: 1_000_000_000 };

/** Requests in one window; 0: any number. */
export const rateLimits = {
  windowMs: integer('RATE_LIMIT_WINDOW_MS', 'The window of all rate limits, in whole seconds', {
    default: 10_000,
    min: 1000,
    max: 3_600_000,
  }),
  perKey: integer(
    'RATE_LIMIT_PER_KEY',
    'Requests of one API key in a window; more are a 429. 0: any number. The gateway and the runner count together, control-api apart ([how](adr/0026-rate-limits-are-taken-from-redis-in-slices.md))',
    requests,
  ),
  perTenant: integer('RATE_LIMIT_PER_TENANT', 'The same for one tenant', requests),
};

/** How long the answer to a request with an idempotency key is replayed, in milliseconds. */
export const trustedHops = integer(
  'TRUSTED_HOPS',
  'Proxies of your own that a request passes on its way here: the service believes as many addresses at the end of `X-Forwarded-For`. 0: it ignores the header',
  { default: 0, min: 0, max: 10 },
);

export const idempotencyRetention = integer(
  'IDEMPOTENCY_RETENTION_MS',
  'How long the answer to a request with `SVC-IDEMPOTENCY-KEY` is replayed',
  { default: day, min: 1000, max: 7 * day },
);

export const auditRetentionDays = integer(
  'AUDIT_RETENTION_DAYS',
  'How long the audit log that `GET /logs` shows is kept, in days. What is older goes with its whole [partition](operating.md#retention-of-the-audit-log). 0: forever',
  { default: 0, min: 0, max: 36_500 },
);

/** In milliseconds. */
export const purgeInterval = integer(
  'PURGE_INTERVAL_MS',
  'How often expired records are removed from the database',
  { default: 300_000, min: 1, max: 3_600_000 },
);

export const btAliases = flag(
  'BT_ALIASES',
  'Headers whose names start with `BT-` count as well as those with `SVC-`, and are sent back. The gateway never sends them on to a destination',
  true,
);

export const vaultAddress = address('VAULT_ADDRESS', '`host:port` of the vault');

export const runnerAddress = address('RUNNER_ADDRESS', '`host:port` of the runner');

/** Of a service that is called by others over gRPC. */
export const grpcListener = (fallback: number) => ({
  host: string('GRPC_HOST', 'Host of the internal gRPC port', '127.0.0.1'),
  port: port('GRPC_PORT', 'The internal gRPC port', fallback),
  // Server reflection, for known peers.
  reflection: derived(nodeEnv, (environment) => environment !== 'production'),
});

/** In milliseconds. */
export const vaultTimeout = integer(
  'VAULT_TIMEOUT_MS',
  'How long to wait for a response of the vault; then 503',
  {
    default: 5000,
    min: 10,
    max: 60_000,
  },
);

export const maxCallsInFlight = integer(
  'MAX_CALLS_IN_FLIGHT',
  'Calls to the vault, and to the runner, that are open at once; more are a 503',
  { default: 10_000, min: 1, max: 1_000_000 },
);

/** Levels of objects and arrays in a body: it is parsed by recursion, and at some thousands the stack would not hold it. */
export const bodyNesting = 100;

export const bodyBytes = integer('MAX_BODY_BYTES', 'A request; more is a 413', {
  default: 2_097_152,
  min: 1,
  max: 16_777_216,
});

export const pageSize = integer(
  'MAX_PAGE_SIZE',
  'Items of a page. The default size is 20, or this if it is less',
  { default: 100, min: 1, max: 1000 },
);

/** In characters, as the next two. */
export const codeLength = integer(
  'MAX_CODE_LENGTH',
  'Length of the code of a transform, a formula or a reactor',
  { default: 50_000, min: 1, max: 1_000_000 },
);

export const longestExpression = 4096;

/** Between its braces. Longer expressions are never evaluated. */
export const expressionLength = integer(
  'MAX_EXPRESSION_LENGTH',
  'Length of an expression between its braces, each time that it is evaluated in a request; of the expressions of tokens when they are sent',
  { default: 1024, min: 36, max: longestExpression },
);
