import { verifiedBy, type PublicKeys } from './public-keys.ts';
import type { SigningKeyProvider } from './signing-key.ts';

/** What a signature is about: one that was made for one purpose counts for no other. */
export type SignedPurpose = 'marker' | 'former application' | 'trial';

/** A line of text in Redis, with its signature at the end. It counts under one name only. */
export async function signText(
  provider: SigningKeyProvider,
  purpose: SignedPurpose,
  key: string,
  text: string,
): Promise<string> {
  const signature = await provider.sign(messageOf(purpose, key, text));
  return `${text} ${provider.keyId.toString('hex')} ${signature.toString('base64')}`;
}

/** The text without its signature; undefined where none of the keys has made it for this name. */
export async function verifyText(
  keys: PublicKeys,
  purpose: SignedPurpose,
  key: string,
  stored: string,
): Promise<string | undefined> {
  const match = /^(.{1,400}) ([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)$/.exec(stored);
  if (match === null) return undefined;
  const [, text = '', keyId = '', signature = ''] = match;
  const bytes = Buffer.from(signature, 'base64');
  // Several texts decode to the same bytes.
  if (bytes.toString('base64') !== signature) return undefined;
  return (await verifiedBy(keys, keyId, messageOf(purpose, key, text), bytes)) ? text : undefined;
}

function messageOf(purpose: SignedPurpose, key: string, text: string): Buffer {
  return Buffer.from(`glovebox ${purpose} 1\n${key}\n${text}`);
}
