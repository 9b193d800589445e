import { oneOf, optional, string } from '@glovebox/platform/settings/builders';
import { isProduction } from '@glovebox/platform/settings/common-settings';
import { type NoteProblem, type SettingsOf, derived } from '@glovebox/platform/settings/setting';

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

const declared = {
  provider: oneOf(
    'KEY_PROVIDER',
    'Who holds the key-encryption keys: `file`, `aws-kms` or `transit` ([ADR 40](adr/0040-key-encryption-keys-may-be-in-a-key-service.md))',
    ['file', 'aws-kms', 'transit'],
    'file',
  ),
  keyFile: optional(
    'KEY_FILE',
    'The file of key-encryption keys, mode 0600 or 0400. Beside a key service it only unwraps data keys that were wrapped under it',
    'for `file`',
  ),
  awsKeyId: optional(
    'AWS_KMS_KEY_ID',
    'A symmetric key: its ARN, or its id and the region; not an alias, which may lead to another key tomorrow. Credentials come from the same sources as for AWS’ own tools',
    'for `aws-kms`',
  ),
  awsRegion: optional('AWS_REGION', 'Required where `AWS_KMS_KEY_ID` is not an ARN'),
  awsEndpoint: optional('AWS_KMS_ENDPOINT', 'Instead of the endpoint of the region, e.g. that of a VPC'),
  transitAddress: optional(
    'TRANSIT_ADDRESS',
    'The address of HashiCorp Vault or OpenBao; `https://` in production',
    'for `transit`',
  ),
  transitKey: optional(
    'TRANSIT_KEY',
    'The name of a key of an authenticated kind (aes256-gcm96)',
    'for `transit`',
  ),
  transitMount: string('TRANSIT_MOUNT', 'Where the engine is mounted', 'transit'),
  transitNamespace: optional('TRANSIT_NAMESPACE', 'The namespace of the engine'),
  transitTokenFile: optional(
    'TRANSIT_TOKEN_FILE',
    'The file of the token, read for each call; the token needs `update` on the key’s paths below `encrypt` and `decrypt`',
    'for `transit`',
  ),
  isProduction,
};

type Declared = SettingsOf<typeof declared>;

// For one answer of the service. Keys that are known go on serving while it is away.
const timeoutMs = 3000;

/** Who holds the key-encryption keys: KEY_PROVIDER, and what that needs. Other providers' settings are not looked at. */
export const keySettings = derived(declared, (read, problem): KeysConfig => {
  const { provider, keyFile } = read;
  if (provider === 'file') return { service: undefined, keyFile: required('KEY_FILE', keyFile, problem) };
  return { service: provider === 'aws-kms' ? awsKmsOf(read, problem) : transitOf(read, problem), keyFile };
});

function required(name: string, value: string | undefined, problem: NoteProblem): string {
  if (value === undefined) problem(`${name} is required`);
  return value ?? '';
}

function awsKmsOf(read: Declared, problem: NoteProblem): AwsKmsConfig {
  const keyId = required('AWS_KMS_KEY_ID', read.awsKeyId, problem);
  // An alias may lead to another key tomorrow, and what was wrapped under its name would not open.
  if (keyId !== '' && !/^(?:arn:[\w-]+:kms:[\w-]+:\d{12}:key\/)?(?:mrk-)?[0-9a-f-]{32,36}$/.test(keyId))
    problem('AWS_KMS_KEY_ID must be the ARN or the id of a key; an alias will not do');
  const region = /^arn:[^:]*:kms:([^:]+):/.exec(keyId)?.[1] ?? read.awsRegion ?? '';
  if (region === '') problem('AWS_REGION is required where AWS_KMS_KEY_ID is not an ARN');
  const endpoint = read.awsEndpoint;
  if (endpoint !== undefined) checkAddress('AWS_KMS_ENDPOINT', endpoint, read, problem);
  return { kind: 'aws-kms', keyId, region, endpoint, timeoutMs };
}

function transitOf(read: Declared, problem: NoteProblem): TransitConfig {
  const { transitMount: mount, transitNamespace: namespace } = read;
  const key = required('TRANSIT_KEY', read.transitKey, problem);
  if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(mount))
    problem('TRANSIT_MOUNT must be a path such as transit, without slashes at its ends');
  if (key !== '' && !/^[A-Za-z0-9._-]{1,200}$/.test(key)) problem('TRANSIT_KEY must be the name of a key');
  const address = required('TRANSIT_ADDRESS', read.transitAddress, problem);
  if (address !== '') checkAddress('TRANSIT_ADDRESS', address, read, problem);
  const tokenFile = required('TRANSIT_TOKEN_FILE', read.transitTokenFile, problem);
  return { kind: 'transit', address, mount, key, tokenFile, namespace, timeoutMs };
}

/** Keys travel there: in production only over TLS. */
function checkAddress(
  name: string,
  text: string,
  { isProduction: strict }: Declared,
  problem: NoteProblem,
): void {
  const schemes = strict ? ['https:'] : ['https:', 'http:'];
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return;
  problem(`${name} must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
}
