import type { PublicKeys } from '@glovebox/published/public-keys';
import type { SigningKeyProvider } from '@glovebox/published/signing-key';

export interface PublicationKeys {
  /** Signs what is published. */
  readonly signing: SigningKeyProvider;
  /** Those that readers accept: they include the one that signs. */
  readonly public: PublicKeys;
}
