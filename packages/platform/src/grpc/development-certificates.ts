import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import { bits, der, integer, oid, sequence, tagged, tags, time } from './der.ts';

/** PEM, both. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateRequest {
  /** Its subject alternative names of that kind, e.g. `spiffe://glovebox/token-vault`. */
  readonly uris: readonly string[];
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter: Date;
}

/** An authority for development and tests (RFC 5280, ECDSA P-256): its key lives as long as this object and is written nowhere. */
export interface CertificateAuthority {
  /** PEM. */
  readonly cert: string;
  /** A certificate for both ends of TLS. */
  issue(request: CertificateRequest): IssuedCertificate;
}

const day = 86_400_000;
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const yes = der(tags.boolean, Buffer.from([0xff]));

export function createCertificateAuthority(name: string): CertificateAuthority {
  const issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (body: Buffer) =>
    pem(sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer.privateKey))));
  const certificateOf = (
    subject: string,
    publicKey: KeyObject,
    validity: [Date, Date],
    extensions: Buffer[],
  ) =>
    signed(
      sequence(
        tagged(0, integer(Buffer.from([2]))),
        integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
        ecdsaWithSha256,
        nameOf(name),
        sequence(...validity.map(time)),
        nameOf(subject),
        publicKey.export({ type: 'spki', format: 'der' }),
        tagged(
          3,
          sequence(
            extension('551d0e', der(tags.octets, keyId(publicKey))),
            // By which the right one of two authorities of that name is found.
            extension('551d23', sequence(der(0x80, keyId(issuer.publicKey)))),
            ...extensions,
          ),
        ),
      ),
    );
  return {
    cert: certificateOf(
      name,
      issuer.publicKey,
      [new Date(Date.now() - day), new Date(Date.now() + 3650 * day)],
      [
        extension('551d13', sequence(yes), true),
        // Signs certificates.
        extension('551d0f', bits(Buffer.from([0x04]), 2), true),
      ],
    ),
    issue({ uris, hosts = [], notBefore = new Date(Date.now() - day), notAfter }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = [
        ...uris.map((uri) => der(0x86, Buffer.from(uri))),
        ...hosts.map((host) => der(0x82, Buffer.from(host))),
      ];
      const cert = certificateOf(
        'service',
        publicKey,
        [notBefore, notAfter],
        [
          extension('551d13', sequence(), true),
          // Signs what is exchanged.
          extension('551d0f', bits(Buffer.from([0x80]), 7), true),
          // Of servers and of clients.
          extension('551d25', sequence(oid('2b06010505070301'), oid('2b06010505070302'))),
          ...(names.length === 0 ? [] : [extension('551d11', sequence(...names))]),
        ],
      );
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
    },
  };
}

function nameOf(common: string): Buffer {
  const attribute = sequence(oid('550403'), der(tags.text, Buffer.from(common)));
  return sequence(der(tags.set, attribute));
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [yes] : []), der(tags.octets, value));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
