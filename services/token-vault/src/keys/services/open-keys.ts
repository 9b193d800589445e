import { ConfigError } from '@glovebox/platform/settings/config-error';

import { KeyFileError } from '../../crypto/key-file.ts';
import type { KeyProvider } from '../../crypto/key-provider.ts';
import { openLocalFileKeyProvider } from '../../crypto/local-file-key-provider.ts';
import { type KeyHolder, type Keys, combineKeys } from './combined-keys.ts';
import type { KeysConfig } from './key-settings.ts';

/** Opens the key-encryption keys, without a call to the key service. @throws ConfigError when the file cannot be used */
export async function openKeys({ service, keyFile }: KeysConfig): Promise<Keys> {
  const file = keyFile === undefined ? [] : [await openFile(keyFile)];
  const [first, ...others] = service === undefined ? file : [await openService(service), ...file];
  if (first === undefined) throw new Error('neither a key service nor a key file is configured');
  return combineKeys([first, ...others]);
}

async function openFile(path: string): Promise<KeyHolder> {
  try {
    const keys = await openLocalFileKeyProvider(path);
    return { name: 'file', keys, keyIds: keys.keyIds, holds: (keyId) => keys.keyIds.includes(keyId) };
  } catch (error) {
    throw error instanceof KeyFileError ? new ConfigError([`KEY_FILE: ${error.message}`]) : error;
  }
}

/** Loads a client only if it is configured: the SDK of AWS is larger than the vault. */
async function openService(service: NonNullable<KeysConfig['service']>): Promise<KeyHolder> {
  const name = service.kind;
  const holds = (keyId: string) => keyId.startsWith(`${name}:`);
  const opened = (keys: KeyProvider) => ({ name, keys, keyIds: [keys.currentKeyId], holds });
  if (service.kind === 'aws-kms') {
    const { openAwsKms } = await import('./aws-kms.ts');
    return opened(openAwsKms(service));
  }
  const { openTransit } = await import('./transit.ts');
  return opened(openTransit(service));
}
