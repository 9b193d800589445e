import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';

import { writePrivateJson } from './private-file.ts';

/** Creates the vault's key file, if there is none (format: services/token-vault/src/crypto/key-file.ts). */
export function ensureKeyFile(path: string): void {
  if (existsSync(path)) return;
  const id = `local-${randomBytes(4).toString('hex')}`;
  const keys = { [id]: randomBytes(32).toString('base64') };
  writePrivateJson(path, { format: 'glovebox-key-file/1', current: id, keys });
}
