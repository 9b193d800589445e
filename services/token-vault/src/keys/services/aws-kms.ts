import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';

import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { KeyProvider, WrappedKey } from '../../crypto/key-provider.ts';
import { KeyServiceError } from './key-service-error.ts';
import type { AwsKmsConfig } from './key-settings.ts';

export const awsKmsScheme = 'aws-kms:';

/**
 * Wraps data keys by a symmetric key of AWS KMS, which never leaves it. Credentials are found as in AWS' own tools.
 * The place of a data key is its encryption context: KMS checks it, and CloudTrail shows it.
 */
export function openAwsKms({ keyId, region, endpoint, timeoutMs }: AwsKmsConfig): KeyProvider {
  const client = new KMSClient({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
  });
  return new AwsKms(client, keyId);
}

class AwsKms implements KeyProvider {
  readonly currentKeyId: string;
  readonly #client: KMSClient;
  readonly #keyId: string;

  constructor(client: KMSClient, keyId: string) {
    this.currentKeyId = `${awsKmsScheme}${keyId}`;
    this.#client = client;
    this.#keyId = keyId;
  }

  async wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey> {
    const command = new EncryptCommand({
      KeyId: this.#keyId,
      Plaintext: dataKey,
      EncryptionContext: contextOf(aad),
    });
    const { CiphertextBlob: wrapped } = await this.#client.send(command).catch(refused);
    if (wrapped === undefined) throw new KeyServiceError('AWS KMS answered without a ciphertext');
    return { keyId: this.currentKeyId, wrapped };
  }

  /** Naming the key rejects a ciphertext of another key that the credentials may use. */
  async unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer> {
    const command = new DecryptCommand({
      KeyId: keyId.slice(awsKmsScheme.length),
      CiphertextBlob: wrapped,
      EncryptionContext: contextOf(aad),
    });
    const { Plaintext: plaintext } = await this.#client.send(command).catch(refused);
    if (plaintext === undefined) throw new KeyServiceError('AWS KMS answered without a plaintext');
    return Buffer.from(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
  }
}

function contextOf(aad: Uint8Array): Record<string, string> {
  return { glovebox: Buffer.from(aad).toString('base64') };
}

function refused(error: unknown): never {
  if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException) {
    throw new IntegrityViolation();
  }
  const name = error instanceof Error ? error.name : 'an unknown error';
  throw new KeyServiceError(`AWS KMS: ${name}`, { cause: error });
}
