import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A Secret of Kubernetes. */
export interface SecretManifest {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/** The Secrets of the overlay `dev`, with new random values at each call. Applying them twice means starting anew. */
export function developmentSecrets(namespace = 'glovebox'): readonly SecretManifest[] {
  const passwords = { control: random(), vault: random() };
  const servicePasswords = { control: random(), vault: random() };
  const tokens = { 'control-api': random(), 'proxy-gateway': random(), 'reactor-runner': random() };
  const owned = (name: keyof typeof passwords) =>
    `postgres://glovebox_${name}:${passwords[name]}@postgres-${name}:5432/${name}`;
  const database = (name: keyof typeof passwords) =>
    `postgres://glovebox_${name}_service:${servicePasswords[name]}@postgres-${name}:5432/${name}`;
  const REDIS_URL = 'redis://redis:6379';
  const peers = (names: readonly (keyof typeof tokens)[]) =>
    names.map((name) => `${name}=${createHash('sha256').update(tokens[name]).digest('hex')}`).join(',');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const PUBLICATION_PUBLIC_KEYS = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const everywhere = { REDIS_URL, PUBLICATION_PUBLIC_KEYS };
  const secrets = {
    'postgres-control': { POSTGRES_PASSWORD: passwords.control, SERVICE_PASSWORD: servicePasswords.control },
    'postgres-vault': { POSTGRES_PASSWORD: passwords.vault, SERVICE_PASSWORD: servicePasswords.vault },
    'control-api': {
      DATABASE_URL: database('control'),
      ...everywhere,
      SERVICE_TOKEN: tokens['control-api'],
    },
    'proxy-gateway': { ...everywhere, SERVICE_TOKEN: tokens['proxy-gateway'] },
    'reactor-runner': {
      ...everywhere,
      SERVICE_TOKEN: tokens['reactor-runner'],
      PEERS: peers(['control-api', 'proxy-gateway']),
    },
    'token-vault': {
      DATABASE_URL: database('vault'),
      ...everywhere,
      PEERS: peers(['control-api', 'proxy-gateway', 'reactor-runner']),
    },
    migrations: { CONTROL_DATABASE_URL: owned('control'), VAULT_DATABASE_URL: owned('vault') },
    backup: { CONTROL_DATABASE_URL: owned('control'), VAULT_DATABASE_URL: owned('vault') },
    'token-vault-keys': { 'vault-key.json': keyFile() },
    'control-api-keys': {
      'publication-key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
  return Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData,
  }));
}

/** With one key (format: services/token-vault/src/crypto/key-file.ts). */
function keyFile(): string {
  const id = `dev-${randomBytes(4).toString('hex')}`;
  return JSON.stringify({
    format: 'glovebox-key-file/1',
    current: id,
    keys: { [id]: randomBytes(32).toString('base64') },
  });
}

function random(): string {
  return randomBytes(24).toString('base64url');
}
