import { openSigningKey } from '@glovebox/published/signing-key';

import type { StoreConfig } from './config.ts';
import type { PublicationKeys } from './publication/publication-keys.ts';

/**
 * The key that signs what is published, and those that readers accept.
 * @throws Error that names the setting which is wrong
 */
export async function openPublicationKeys({ publication }: StoreConfig): Promise<PublicationKeys> {
  const signing = await openSigningKey(publication.keyFile);
  if (!publication.publicKeys.has(signing.keyId.toString('hex')))
    throw new Error('PUBLICATION_PUBLIC_KEYS must include the public key of PUBLICATION_KEY_FILE');
  return { signing, public: publication.publicKeys };
}
