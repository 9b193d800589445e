import {
  ECDH,
  type JsonWebKey,
  type KeyExportOptions,
  type KeyObject,
  type PrivateKeyInput,
  type PublicKeyInput,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
} from 'node:crypto';

import { BadOperation, type Operations, bytes, exact, integer, oneOf, text } from './arguments.ts';

/**
 * A key as the isolate holds it and hands it over: `['held', kind, bytes]`, where a secret is itself and the others
 * are DER (SPKI, PKCS #8); or `['given', format, type, passphrase, bytes]`, as the user has it.
 */
export type KeyArgument = unknown;

const formatOf = (number: unknown) => (integer(number, 0, 1) === 0 ? 'der' : 'pem');
const encodings = ['pkcs1', 'pkcs8', 'spki', 'sec1'] as const;
const rawPrefixes: Readonly<Record<string, readonly [string, string]>> = {
  Ed25519: ['302a300506032b6570032100', '302e020100300506032b657004220420'],
  Ed448: ['3043300506032b6571033a00', '3047020100300506032b6571043b0439'],
  X25519: ['302a300506032b656e032100', '302e020100300506032b656e04220420'],
  X448: ['3042300506032b656f033900', '3046020100300506032b656f043a0438'],
};

/** By the names that OpenSSL has for them. */
const webCurves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};
const maxPointBytes = 200;

export function privateKeyOf(argument: KeyArgument): KeyObject {
  const held = heldKey(argument);
  if (held !== undefined) return held;
  return createPrivateKey(givenKey(argument));
}

/** Where the operation allows it, a private key serves as its public key. */
export function publicKeyOf(argument: KeyArgument): KeyObject {
  const held = heldKey(argument);
  if (held === undefined) return createPublicKey(givenKey(argument));
  return held.type === 'private' ? createPublicKey(held) : held;
}

export function heldKey(argument: KeyArgument): KeyObject | undefined {
  if (!Array.isArray(argument) || argument[0] !== 'held') return undefined;
  const [, kind, data]: unknown[] = argument;
  const key = Buffer.from(bytes(data));
  if (kind === 'secret') return createSecretKey(key);
  if (kind === 'private') return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  if (kind === 'public') return createPublicKey({ key, format: 'der', type: 'spki' });
  throw new BadOperation('expected a key');
}

/** OpenSSL itself refuses an encoding that a key of its kind cannot have. */
function givenKey(argument: KeyArgument): PrivateKeyInput & PublicKeyInput {
  if (!Array.isArray(argument) || argument[0] !== 'given') throw new BadOperation('expected a key');
  const [, format, type, passphrase, data]: unknown[] = argument;
  return {
    key: Buffer.from(bytes(data)),
    format: formatOf(format),
    ...(type === undefined || type === null ? {} : { type: encodings[integer(type, 0, 3)] as 'pkcs1' }),
    ...(passphrase === undefined || passphrase === null
      ? {}
      : { passphrase: Buffer.from(bytes(passphrase)) }),
  };
}

/** What the isolate keeps of an asymmetric key: kind, DER, type, details. */
export function packed(key: KeyObject): unknown[] {
  const der =
    key.type === 'private'
      ? key.export({ format: 'der', type: 'pkcs8' })
      : key.export({ format: 'der', type: 'spki' });
  return [key.type, exact(der), key.asymmetricKeyType, { ...key.asymmetricKeyDetails }];
}

/** A point of a curve in another form. Without an encoding the result is bytes. */
export function pointAs(
  format: 'compressed' | 'uncompressed' | 'hybrid' | undefined,
  point: unknown,
  curve: string,
): Buffer {
  return ECDH.convertKey(bytes(point), curve, undefined, undefined, format) as Buffer;
}

export const keyOperations: Operations = {
  'crypto.importKey': (kind, argument) =>
    packed(oneOf(kind, ['public', 'private']) === 'private' ? privateKeyOf(argument) : publicKeyOf(argument)),
  'crypto.importJwk'(jwk) {
    const key: JsonWebKey = { ...Object(jwk) };
    return packed(
      key.d === undefined
        ? createPublicKey({ key, format: 'jwk' })
        : createPrivateKey({ key, format: 'jwk' }),
    );
  },
  'crypto.importRaw'(kind, curve, data) {
    const isPrivate = oneOf(kind, ['public', 'private']) === 'private';
    const prefixes = rawPrefixes[oneOf(curve, Object.keys(rawPrefixes))]!;
    const der = Buffer.concat([Buffer.from(prefixes[isPrivate ? 1 : 0], 'hex'), bytes(data)]);
    return packed(
      isPrivate
        ? createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
        : createPublicKey({ key: der, format: 'der', type: 'spki' }),
    );
  },
  'crypto.importPoint'(name, point) {
    const curve = oneOf(name, Object.keys(webCurves));
    const whole = pointAs('uncompressed', bytes(point, maxPointBytes), curve);
    const half = (whole.length + 1) / 2;
    const [x, y] = [whole.subarray(1, half), whole.subarray(half)].map((part) => part.toString('base64url'));
    const key = { kty: 'EC', crv: webCurves[curve]!, x: x!, y: y! };
    return packed(createPublicKey({ key, format: 'jwk' }));
  },
  'crypto.exportKey'(argument, format, type, cipher, passphrase) {
    const key = heldKey(argument);
    if (key === undefined) throw new BadOperation('expected a key');
    const exported = key.export({
      format: formatOf(format),
      type: encodings[integer(type, 0, 3)],
      ...(cipher === undefined || cipher === null
        ? {}
        : { cipher: text(cipher, 100), passphrase: Buffer.from(bytes(passphrase)) }),
    } as KeyExportOptions<'der'>) as string | Buffer;
    return typeof exported === 'string' ? exported : exact(exported);
  },
  'crypto.rawPublic'(argument) {
    const { x, y } = publicKeyOf(argument).export({ format: 'jwk' });
    const parts = [x, y].flatMap((part) => (part === undefined ? [] : [Buffer.from(part, 'base64url')]));
    return exact(Buffer.concat(parts.length === 2 ? [Buffer.from([4]), ...parts] : parts));
  },
  'crypto.exportJwk': (argument) => ({ ...heldKey(argument)?.export({ format: 'jwk' }) }),
};
