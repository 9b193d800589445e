import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The key that signs what control-api publishes, and its public half as every service gets it. */
export interface PublicationKey {
  readonly keyFile: string;
  readonly publicKeys: string;
}

/** Creates the key file, if there is none: Ed25519, PEM. */
export function ensurePublicationKey(keyFile: string): PublicationKey {
  if (!existsSync(keyFile)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const draft = `${keyFile}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    renameSync(draft, keyFile);
  }
  const publicKey = createPublicKey(createPrivateKey(readFileSync(keyFile)));
  return { keyFile, publicKeys: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
}
