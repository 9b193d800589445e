import { type KeyObject, sign } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { type ChainedLine, checkpointLine } from '@glovebox/platform/signed-log/chain';
import { type Ed25519Jwk, jwkOf } from '@glovebox/platform/signed-log/public-key';
import { type SignedDocument, signDocument } from '@glovebox/platform/signed-log/signed-document';

import { newSigningKey, unwrapSigningKey } from '../crypto/audit-signing-key.ts';
import type { KeyProvider } from '../crypto/key-provider.ts';
import { type NumberedSigningKey, insertSigningKey, readSigningKeys } from '../store/audit-signing-keys.ts';

export interface PublicAuditKey extends Ed25519Jwk {
  readonly fingerprint: string;
  readonly createdAt: Date;
}

interface SigningKey {
  readonly key: KeyObject;
  readonly public: PublicAuditKey;
}

/** A new key signs after this, at every vault; its public half is known at once. */
const keptMs = 60_000;

/**
 * Signs exports of the audit log, and certificates, with the newest key. Public halves come from the private ones, whose wrapping
 * authenticates them: who can write to the database can add no key.
 */
export class AuditSigner {
  readonly #postgres: Queryable;
  readonly #provider: KeyProvider;
  readonly #unwrapped = new Map<string, SigningKey>();
  #newest: { readonly key: SigningKey; readonly until: number } | undefined;

  constructor(postgres: Queryable, provider: KeyProvider) {
    this.#postgres = postgres;
    this.#provider = provider;
  }

  /** A checkpoint that goes on after a digest. */
  async checkpoint(previous: Uint8Array, content: object): Promise<ChainedLine> {
    const { key, public: own } = await this.#signing();
    const signed = { ...content, key_id: own.fingerprint, public_key: own.x };
    return checkpointLine(previous, signed, (message) => sign(null, message, key));
  }

  /** Content with the signature of the newest key. */
  async document(content: SignedDocument): Promise<SignedDocument> {
    const { key, public: own } = await this.#signing();
    const signed = { ...content, key_id: own.fingerprint, public_key: own.x };
    return signDocument(signed, (message) => sign(null, message, key));
  }

  /** All keys there have been, the newest first. The first one is made if there is none. */
  async publicKeys(): Promise<readonly PublicAuditKey[]> {
    return (await this.#all()).map((known) => known.public);
  }

  /** Drops the private keys from memory. */
  drop(): void {
    this.#unwrapped.clear();
    this.#newest = undefined;
  }

  async #signing(): Promise<SigningKey> {
    if (this.#newest !== undefined && Date.now() < this.#newest.until) return this.#newest.key;
    const [key] = await this.#all();
    if (key === undefined) throw new Error('the database did not keep the key that signs exports');
    this.#newest = { key, until: Date.now() + keptMs };
    return key;
  }

  async #all(): Promise<readonly SigningKey[]> {
    let stored = await readSigningKeys(this.#postgres);
    if (stored.length === 0) {
      await insertSigningKey(this.#postgres, 1, await newSigningKey(this.#provider));
      stored = await readSigningKeys(this.#postgres);
    }
    const keys: SigningKey[] = [];
    for (const one of stored) keys.push(await this.#unwrap(one));
    return keys;
  }

  async #unwrap(stored: NumberedSigningKey): Promise<SigningKey> {
    const { fingerprint, createdAt } = stored;
    const known = this.#unwrapped.get(fingerprint);
    if (known !== undefined) return known;
    const key = await unwrapSigningKey(this.#provider, stored);
    const made = { key, public: { ...jwkOf(key), fingerprint, createdAt } };
    this.#unwrapped.set(fingerprint, made);
    return made;
  }
}
