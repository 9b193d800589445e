import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Redis } from '@glovebox/platform/db/redis';
import type { PublishedRecord } from '@glovebox/protos/published/v1/published';
import { encodeRecord } from '@glovebox/published/codec';
import type { RecordName, RedisNames } from '@glovebox/published/keys';
import { type SignedMarker, encodeMarker, signMarker } from '@glovebox/published/marker';
import { type PublicKeys, keyIdOf } from '@glovebox/published/public-keys';
import { signValue } from '@glovebox/published/record-signature';
import { signText } from '@glovebox/published/signed-text';
import type { SigningKeyProvider } from '@glovebox/published/signing-key';

/** A key as control-api has one, and what tests sign with it in its place. */
export interface TestPublication {
  readonly signing: SigningKeyProvider;
  readonly publicKeys: PublicKeys;
  /** As PUBLICATION_PUBLIC_KEYS. */
  readonly setting: string;
  /** PEM. */
  readonly privateKey: string;
  /** As it stands in Redis. */
  signed(key: string, record: PublishedRecord, sequence?: number): Promise<Buffer>;
  put(redis: Redis, names: RedisNames, name: RecordName, record: PublishedRecord): Promise<void>;
  mark(redis: Redis, names: RedisNames, marker?: Partial<SignedMarker>): Promise<void>;
  former(key: string): Promise<string>;
}

let sequence = Date.now();

/** Grows like that of control-api. */
export function nextSequence(): number {
  sequence += 1;
  return sequence;
}

export function createTestPublication(): TestPublication {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyId = keyIdOf(publicKey);
  const signing = {
    keyId,
    sign: (message: Uint8Array) => Promise.resolve(sign(null, message, privateKey)),
  };
  const signed: TestPublication['signed'] = (key, record, at = nextSequence()) =>
    signValue(signing, key, at, encodeRecord(record));
  return {
    signing,
    publicKeys: new Map([[keyId.toString('hex'), publicKey]]),
    setting: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signed,
    async put(redis, names, name, record) {
      const key = names.record(name);
      await redis.set(key, await signed(key, record));
    },
    async mark(redis, names, changes = {}) {
      const marker = { ...defaultMarker, sequence: nextSequence(), signedAt: Date.now(), ...changes };
      const text = await signMarker(signing, names.signedMarker, marker);
      await redis.mset(names.marker, encodeMarker(marker), names.signedMarker, text);
    },
    former: (key) => signText(signing, 'former application', key, String(Date.now() + 60_000)),
  };
}

const defaultMarker = {
  installationId: '00000000-0000-4000-8000-000000000001',
  lastEntry: 1,
  floor: 0,
  floorEntry: 0,
};

/** One for all tests of this process. */
export const testPublication = createTestPublication();

let keyFile: string | undefined;

/** Its private key in a file, for a control-api. */
export function testPublicationKeyFile(): string {
  if (keyFile === undefined) {
    keyFile = join(mkdtempSync(join(tmpdir(), 'glovebox-test-')), 'publication-key.pem');
    writeFileSync(keyFile, testPublication.privateKey, { mode: 0o600 });
  }
  return keyFile;
}
