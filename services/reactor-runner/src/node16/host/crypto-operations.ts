import crypto, { type BinaryLike, type CipherGCMTypes, type KeyObject } from 'node:crypto';

import { BadOperation, type Operations, bytes, exact, flag, integer, text } from './arguments.ts';
import { heldKey, keyOperations, privateKeyOf, publicKeyOf } from './crypto-keys.ts';
import { Handles } from './handles.ts';
import { endEncryption } from './openssl-errors.ts';

interface CipherState {
  readonly cipher: crypto.CipherGCM | crypto.DecipherGCM;
}

const maxCiphers = 256;
const nameLength = 100;

const optionalBytes = (value: unknown) => (value === undefined || value === null ? undefined : bytes(value));
const optionalInteger = (value: unknown, min = -3, max = 2 ** 31) =>
  value === undefined || value === null ? undefined : integer(value, min, max);
const chunksOf = (value: unknown) =>
  Array.isArray(value) ? value.map((chunk: unknown) => bytes(chunk)) : [bytes(value)];

/** Hashes, ciphers, signatures: what is done at once, on bytes and keys that the isolate holds. */
export function cryptoOperations(): Operations {
  return { ...keyOperations, ...tables, ...hashes, ...signatures, ...rsa, ...cipherOperations() };
}

const tables: Operations = {
  'crypto.hashes': () => crypto.getHashes(),
  'crypto.ciphers': () => crypto.getCiphers(),
  'crypto.curves': () => crypto.getCurves(),
  'crypto.cipherInfo': (name, keyLength, ivLength) => ({
    ...crypto.getCipherInfo(
      typeof name === 'number' ? integer(name, -(2 ** 31), 2 ** 31) : text(name, nameLength),
      {
        ...(keyLength === undefined ? {} : { keyLength: integer(keyLength, -(2 ** 31), 2 ** 31) }),
        ...(ivLength === undefined ? {} : { ivLength: integer(ivLength, -(2 ** 31), 2 ** 31) }),
      },
    ),
  }),
};

const hashes: Operations = {
  'crypto.checkHash'(algorithm, outputLength) {
    hashOf(algorithm, outputLength);
  },
  'crypto.isHash'(algorithm) {
    try {
      return hashOf(algorithm, undefined) !== undefined;
    } catch {
      return false;
    }
  },
  'crypto.checkHmac'(algorithm) {
    crypto.createHmac(text(algorithm, nameLength), '');
  },
  'crypto.hash'(algorithm, chunks, outputLength) {
    const hash = hashOf(algorithm, outputLength);
    for (const chunk of chunksOf(chunks)) hash.update(chunk);
    return exact(hash.digest());
  },
  'crypto.hmac'(algorithm, key, chunks) {
    const hmac = crypto.createHmac(text(algorithm, nameLength), bytes(key));
    for (const chunk of chunksOf(chunks)) hmac.update(chunk);
    return exact(hmac.digest());
  },
};

function hashOf(algorithm: unknown, outputLength: unknown): crypto.Hash {
  const length = outputLength === undefined ? {} : { outputLength: integer(outputLength, 0, 1024 * 1024) };
  return crypto.createHash(text(algorithm, nameLength), length);
}

function signingOptions(
  key: KeyObject,
  padding: unknown,
  saltLength: unknown,
  encoding: unknown,
): crypto.SignKeyObjectInput {
  const rsaPadding = optionalInteger(padding);
  const salt = optionalInteger(saltLength);
  return {
    key,
    ...(rsaPadding === undefined ? {} : { padding: rsaPadding }),
    ...(salt === undefined ? {} : { saltLength: salt }),
    dsaEncoding: encoding === 1 ? 'ieee-p1363' : 'der',
  };
}

const signatures: Operations = {
  'crypto.checkSign'(algorithm) {
    crypto.createSign(text(algorithm, nameLength));
  },
  'crypto.sign'(algorithm, chunks, key, padding, saltLength, encoding) {
    const data = Buffer.concat(chunksOf(chunks));
    const name = algorithm === undefined || algorithm === null ? null : text(algorithm, nameLength);
    const options = signingOptions(privateKeyOf(key), padding, saltLength, encoding);
    return exact(crypto.sign(name, data, options));
  },
  'crypto.verify'(algorithm, chunks, key, signature, padding, saltLength, encoding) {
    const data = Buffer.concat(chunksOf(chunks));
    const name = algorithm === undefined || algorithm === null ? null : text(algorithm, nameLength);
    const options = signingOptions(publicKeyOf(key), padding, saltLength, encoding);
    return crypto.verify(name, data, options, bytes(signature));
  },
};

const rsa: Operations = Object.fromEntries(
  (['publicEncrypt', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt'] as const).map((name) => [
    `crypto.${name}`,
    (key: unknown, data: unknown, padding: unknown, oaepHash: unknown, oaepLabel: unknown) => {
      const label = optionalBytes(oaepLabel);
      const options = {
        key: name.startsWith('private') ? privateKeyOf(key) : publicKeyOf(key),
        padding: integer(padding, 0, 10),
        ...(oaepHash === undefined ? {} : { oaepHash: text(oaepHash, nameLength) }),
        ...(label === undefined ? {} : { oaepLabel: label }),
      };
      return exact(crypto[name](options, bytes(data)));
    },
  ]),
);

function newCipher(
  encrypts: unknown,
  name: unknown,
  key: BinaryLike | KeyObject,
  iv: Uint8Array | null,
  tagLength: unknown,
): CipherState['cipher'] {
  const length = integer(tagLength, -1, 2 ** 31);
  const options = length < 0 ? undefined : { authTagLength: length };
  // OpenSSL knows more of them, and what each can do.
  const algorithm = text(name, nameLength) as CipherGCMTypes;
  return flag(encrypts)
    ? crypto.createCipheriv(algorithm, key, iv!, options)
    : crypto.createDecipheriv(algorithm, key, iv!, options);
}

function asDecipher(cipher: CipherState['cipher']): crypto.DecipherGCM {
  if (!('setAuthTag' in cipher)) throw new BadOperation('expected a decipher');
  return cipher;
}

function cipherOperations(): Operations {
  const ciphers = new Handles<CipherState>('cipher', maxCiphers);
  const open = (...args: Parameters<typeof newCipher>) => ciphers.open({ cipher: newCipher(...args) });
  return {
    'crypto.aes': aesOperation,
    'crypto.cipher': (encrypts, name, key, iv, tagLength) =>
      open(encrypts, name, heldKey(key) ?? bytes(key), iv === null ? null : bytes(iv), tagLength),
    'crypto.cipherOfPassword'(encrypts, name, password, tagLength) {
      const info = crypto.getCipherInfo(text(name, nameLength));
      if (info === undefined) throw new BadOperation('Unknown cipher');
      const [key, iv] = keyOfPassword(bytes(password), info.keyLength, info.ivLength ?? 0);
      return open(encrypts, name, key, info.ivLength === undefined ? null : iv, tagLength);
    },
    'crypto.cipherUpdate': (id, data) => exact(ciphers.get(id).cipher.update(bytes(data))),
    'crypto.cipherFinal'(id) {
      const { cipher } = ciphers.get(id);
      ciphers.close(id);
      if (!('getAuthTag' in cipher)) return { output: exact(cipher.final()) };
      const output = exact(endEncryption(() => cipher.final()));
      return { output, tag: tagOf(cipher) };
    },
    'crypto.cipherClose': (id) => ciphers.close(id),
    'crypto.cipherPadding': (id, on) => void ciphers.get(id).cipher.setAutoPadding(flag(on)),
    'crypto.cipherTag': (id, tag) => void asDecipher(ciphers.get(id).cipher).setAuthTag(bytes(tag)),
    'crypto.cipherAad'(id, data, plaintextLength) {
      const length = integer(plaintextLength, -1, 2 ** 31);
      ciphers.get(id).cipher.setAAD(bytes(data), length < 0 ? undefined : { plaintextLength: length });
    },
  };
}

function tagOf(cipher: crypto.CipherGCM): Uint8Array | undefined {
  try {
    return exact(cipher.getAuthTag());
  } catch {
    return undefined;
  }
}

/** All of one message, as Web Crypto does it; of GCM the tag is the end. */
function aesOperation(
  encrypts: unknown,
  name: unknown,
  key: unknown,
  iv: unknown,
  data: unknown,
  aad: unknown,
  tag: unknown,
) {
  const isGcm = text(name, nameLength).endsWith('gcm');
  const tagLength = flag(encrypts) ? tag : optionalBytes(tag)?.length;
  const cipher = newCipher(encrypts, name, bytes(key), bytes(iv), isGcm ? tagLength : -1);
  const additional = optionalBytes(aad);
  if (additional !== undefined) cipher.setAAD(additional);
  if (isGcm && !flag(encrypts)) asDecipher(cipher).setAuthTag(bytes(tag));
  const parts = [cipher.update(bytes(data)), cipher.final()];
  if (isGcm && 'getAuthTag' in cipher) parts.push(cipher.getAuthTag());
  return exact(Buffer.concat(parts));
}

/** EVP_BytesToKey with MD5 and no salt, which createCipher of Node.js 16 does. */
function keyOfPassword(password: Uint8Array, keyLength: number, ivLength: number): [Buffer, Buffer] {
  let made = Buffer.alloc(0);
  let block = Buffer.alloc(0);
  while (made.length < keyLength + ivLength) {
    block = crypto.createHash('md5').update(block).update(password).digest();
    made = Buffer.concat([made, block]);
  }
  return [made.subarray(0, keyLength), made.subarray(keyLength, keyLength + ivLength)];
}
