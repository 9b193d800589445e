import { ConfigError } from '@glovebox/platform/env';

import { KeyFileError } from './crypto/key-file.ts';
import type { KeyProvider } from './crypto/key-provider.ts';
import { openLocalFileKeyProvider } from './crypto/local-file-key-provider.ts';

/** The key-encryption keys. @throws ConfigError when the file cannot be used */
export async function openKeys(keyFile: string): Promise<KeyProvider> {
  try {
    return await openLocalFileKeyProvider(keyFile);
  } catch (error) {
    throw error instanceof KeyFileError ? new ConfigError([`KEY_FILE: ${error.message}`]) : error;
  }
}
