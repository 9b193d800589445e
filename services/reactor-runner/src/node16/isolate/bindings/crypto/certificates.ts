import { exactBytes } from '../../bridge.ts';
import type { Scope } from '../../scope.ts';
import type { KeyHandle, KeyParts } from './keys.ts';

/** Certificates of `internalBinding('crypto')`: their bytes are here, the host reads them. */
export function cryptoCertificates({ call }: Scope, keys: KeyParts): object {
  const { KeyObjectHandle, argumentOf, bufferOf } = keys;

  class CertificateHandle {
    readonly raw: () => Uint8Array;
    readonly #der: Uint8Array;

    constructor({ raw, ...facts }: { readonly raw: Uint8Array }) {
      this.#der = raw;
      this.raw = () => bufferOf(raw.slice());
      for (const [name, value] of Object.entries(facts)) Object.assign(this, { [name]: () => value });
    }
    getIssuerCert(): undefined {}
    publicKey() {
      return new KeyObjectHandle().hold(call('crypto.certificateKey', this.#der));
    }
    toLegacy() {
      const legacy = call('crypto.certificateLegacy', this.#der);
      return Object.fromEntries(
        Object.entries(legacy).map(([name, value]: [string, unknown]) => [
          name,
          value instanceof Uint8Array ? bufferOf(value) : value,
        ]),
      );
    }
    checkHost(name: string, flags: number) {
      return call('crypto.certificateCheck', this.#der, 'checkHost', name, flags);
    }
    checkEmail(name: string, flags: number) {
      return call('crypto.certificateCheck', this.#der, 'checkEmail', name, flags);
    }
    checkIP(name: string, flags: number) {
      return call('crypto.certificateCheck', this.#der, 'checkIP', name, flags);
    }
    checkIssued(issuer: CertificateHandle) {
      return call('crypto.certificateIsIssuedBy', this.#der, issuer.#der);
    }
    verify(key: KeyHandle) {
      return call('crypto.certificateIsSignedBy', this.#der, argumentOf(key));
    }
    checkPrivateKey(key: KeyHandle) {
      return call('crypto.certificateIsOfKey', this.#der, argumentOf(key));
    }
  }

  return {
    parseX509: (data: ArrayBufferView) => new CertificateHandle(call('crypto.certificate', exactBytes(data))),
    X509_CHECK_FLAG_ALWAYS_CHECK_SUBJECT: 1,
    X509_CHECK_FLAG_NO_WILDCARDS: 2,
    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS: 4,
    X509_CHECK_FLAG_MULTI_LABEL_WILDCARDS: 8,
    X509_CHECK_FLAG_SINGLE_LABEL_SUBDOMAINS: 16,
    X509_CHECK_FLAG_NEVER_CHECK_SUBJECT: 32,
  };
}
