import { exactBytes } from '../../bridge.ts';
import type { PackedKey } from '../../host-results.ts';
import type { Scope } from '../../scope.ts';

/** A key as the host wants it (crypto-keys.ts there). */
export type KeyArgument = readonly unknown[];

/** The native half of a KeyObject. The key's bytes are here, not at the host. */
export interface KeyHandle {
  readonly kind: string;
  readonly data: Uint8Array;
}

interface ExportableKey extends KeyHandle {
  hold(packed: PackedKey): ExportableKey;
  export(...args: unknown[]): unknown;
  exportJwk(into: object): object;
}

export interface KeyParts {
  readonly KeyObjectHandle: new () => ExportableKey;
  readonly handleOf: (key: object) => KeyHandle | undefined;
  readonly argumentOf: (data: unknown, format?: unknown, type?: unknown, passphrase?: unknown) => KeyArgument;
  readonly bufferOf: (bytes: Uint8Array) => Buffer;
  readonly binding: object;
}

/** Keys of `internalBinding('crypto')`. */
export function cryptoKeys({ call, load }: Scope): KeyParts {
  const handles = new WeakMap<object, KeyHandle>();
  const kinds = ['secret', 'public', 'private'];
  const bufferOf = (bytes: Uint8Array) => {
    const { FastBuffer } = load('internal/buffer');
    return new FastBuffer(bytes.buffer);
  };
  const argumentOf: KeyParts['argumentOf'] = (data, format, type, passphrase) => {
    if (data instanceof KeyObjectHandle) return ['held', data.kind, data.data];
    const secret = passphrase === undefined || passphrase === null ? undefined : exactBytes(passphrase);
    return ['given', format, type ?? undefined, secret, exactBytes(data)];
  };

  class KeyObjectHandle implements KeyHandle {
    kind = 'secret';
    data = new Uint8Array(0);
    #type: unknown;
    #details: object = {};

    hold(packed: PackedKey) {
      const [kind, data, type, details] = packed;
      this.kind = kind;
      this.data = data;
      this.#type = type;
      // Node's library takes a big number as its bytes.
      this.#details = Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          typeof value === 'bigint' ? bytesOfNumber(value) : value,
        ]),
      );
      return this;
    }
    init(kind: number, data: unknown, format: unknown, type: unknown, passphrase: unknown) {
      if (kind === 0) this.data = new Uint8Array(exactBytes(data));
      else this.hold(call('crypto.importKey', kinds[kind], argumentOf(data, format, type, passphrase)));
    }
    initJwk(jwk: Record<string, unknown> & { k: string }) {
      if (jwk['kty'] === 'oct') {
        const { Buffer } = load('buffer');
        this.data = new Uint8Array(Buffer.from(jwk.k, 'base64url'));
        return 0;
      }
      const names = ['kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi'];
      const plain = Object.fromEntries(
        names.filter((name) => typeof jwk[name] === 'string').map((name) => [name, jwk[name]]),
      );
      try {
        this.hold(call('crypto.importJwk', plain));
      } catch {
        return undefined;
      }
      return kinds.indexOf(this.kind);
    }
    initEDRaw(curve: string, data: ArrayBufferView, kind: number) {
      const name = ['Ed25519', 'Ed448', 'X25519', 'X448'].find(
        (one) => one.toLowerCase() === curve.replace('NODE-', '').toLowerCase(),
      );
      try {
        this.hold(call('crypto.importRaw', kinds[kind], name, exactBytes(data)));
        return true;
      } catch {
        return false;
      }
    }
    initECRaw(curve: string, data: ArrayBufferView) {
      try {
        this.hold(call('crypto.importPoint', curve, exactBytes(data)));
        return true;
      } catch {
        return false;
      }
    }
    export(format?: number, type?: number, cipher?: string, passphrase?: ArrayBufferView) {
      if (this.kind === 'secret') return bufferOf(this.data.slice());
      const secret = passphrase === undefined || passphrase === null ? undefined : exactBytes(passphrase);
      const exported = call('crypto.exportKey', argumentOf(this), format, type, cipher ?? undefined, secret);
      return typeof exported === 'string' ? exported : bufferOf(exported);
    }
    exportJwk(into: object) {
      if (this.kind !== 'secret') return Object.assign(into, call('crypto.exportJwk', argumentOf(this)));
      const k = bufferOf(this.data.slice()).toString('base64url');
      return Object.assign(into, { kty: 'oct', k });
    }
    equals(other: KeyObjectHandle) {
      return (
        this.kind === other.kind &&
        this.data.length === other.data.length &&
        this.data.every((byte, i) => byte === other.data[i])
      );
    }
    getSymmetricKeySize() {
      return this.data.length;
    }
    getAsymmetricKeyType() {
      return this.#type;
    }
    keyDetail(into: object) {
      if (this.kind === 'secret') return Object.assign(into, { length: 8 * this.data.length });
      return Object.assign(into, this.#details);
    }
    checkEcKeyData() {
      return true;
    }
  }

  const binding = {
    KeyObjectHandle,
    createNativeKeyObjectClass: (define: (base: object) => unknown) =>
      define(
        class NativeKeyObject {
          constructor(handle: KeyHandle) {
            handles.set(this, handle);
          }
        },
      ),
    kKeyTypeSecret: 0,
    kKeyTypePublic: 1,
    kKeyTypePrivate: 2,
    kKeyFormatDER: 0,
    kKeyFormatPEM: 1,
    kKeyFormatJWK: 2,
    kKeyEncodingPKCS1: 0,
    kKeyEncodingPKCS8: 1,
    kKeyEncodingSPKI: 2,
    kKeyEncodingSEC1: 3,
  };
  return { KeyObjectHandle, handleOf: (key) => handles.get(key), argumentOf, bufferOf, binding };
}

/** Most significant first. */
export function bytesOfNumber(number: bigint): Uint8Array {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return new Uint8Array((even.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
