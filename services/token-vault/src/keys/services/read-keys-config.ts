import type { EnvReader } from '@glovebox/platform/settings/env';

export interface AwsKmsConfig {
  readonly kind: 'aws-kms';
  /** The ARN of a key, or its id. */
  readonly keyId: string;
  readonly region: string;
  /** Of another place than AWS' own for the region. */
  readonly endpoint: string | undefined;
  readonly timeoutMs: number;
}

export interface TransitConfig {
  readonly kind: 'transit';
  readonly address: string;
  readonly mount: string;
  readonly key: string;
  readonly tokenFile: string;
  readonly namespace: string | undefined;
  readonly timeoutMs: number;
}

export interface KeysConfig {
  /** Who wraps from now on; undefined for the key file. */
  readonly service: AwsKmsConfig | TransitConfig | undefined;
  /** With a service: a file whose keys still unwrap what they wrapped. */
  readonly keyFile: string | undefined;
}

/** Reads who holds the key-encryption keys: KEY_PROVIDER, and what that needs. */
export function readKeysConfig(env: EnvReader): KeysConfig {
  const provider = env.oneOf('KEY_PROVIDER', ['file', 'aws-kms', 'transit'], 'file');
  if (provider === 'file') return { service: undefined, keyFile: env.string('KEY_FILE') };
  const timeoutMs = env.integer('KEY_SERVICE_TIMEOUT_MS', { default: 3000, min: 100, max: 60_000 });
  const service = provider === 'aws-kms' ? readAwsKms(env, timeoutMs) : readTransit(env, timeoutMs);
  return { service, keyFile: env.optional('KEY_FILE') };
}

function readAwsKms(env: EnvReader, timeoutMs: number): AwsKmsConfig {
  const keyId = env.string('AWS_KMS_KEY_ID');
  // An alias may lead to another key tomorrow, and what was wrapped under its name would not open.
  if (keyId !== '' && !/^(?:arn:[\w-]+:kms:[\w-]+:\d{12}:key\/)?(?:mrk-)?[0-9a-f-]{32,36}$/.test(keyId)) {
    env.problem('AWS_KMS_KEY_ID must be the ARN or the id of a key; an alias will not do');
  }
  const region = /^arn:[^:]*:kms:([^:]+):/.exec(keyId)?.[1] ?? env.optional('AWS_REGION') ?? '';
  if (region === '') env.problem('AWS_REGION is required where AWS_KMS_KEY_ID is not an ARN');
  const endpoint = readAddress(env, 'AWS_KMS_ENDPOINT', env.optional('AWS_KMS_ENDPOINT'));
  return { kind: 'aws-kms', keyId, region, endpoint, timeoutMs };
}

function readTransit(env: EnvReader, timeoutMs: number): TransitConfig {
  const mount = env.string('TRANSIT_MOUNT', 'transit');
  const key = env.string('TRANSIT_KEY');
  if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(mount)) {
    env.problem('TRANSIT_MOUNT must be a path such as transit, without slashes at its ends');
  }
  if (key !== '' && !/^[A-Za-z0-9._-]{1,200}$/.test(key))
    env.problem('TRANSIT_KEY must be the name of a key');
  return {
    kind: 'transit',
    address: readAddress(env, 'TRANSIT_ADDRESS', env.string('TRANSIT_ADDRESS')) ?? '',
    mount,
    key,
    tokenFile: env.string('TRANSIT_TOKEN_FILE'),
    namespace: env.optional('TRANSIT_NAMESPACE'),
    timeoutMs,
  };
}

/** Keys travel there: in production only over TLS. */
function readAddress(env: EnvReader, name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return text;
  const schemes = env.optional('NODE_ENV') === 'production' ? ['https:'] : ['https:', 'http:'];
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
  env.problem(
    `${name} must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  );
  return text;
}
