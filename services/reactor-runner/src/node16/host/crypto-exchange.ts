import crypto from 'node:crypto';

import { BadOperation, type Operations, bytes, exact, integer, oneOf, text } from './arguments.ts';
import { heldKey, pointAs } from './crypto-keys.ts';

const formats: Readonly<Record<number, 'compressed' | 'uncompressed' | 'hybrid'>> = {
  2: 'compressed',
  4: 'uncompressed',
  6: 'hybrid',
};
const maxPrimeBits = 2048;

function curveOf(name: unknown, privateKey?: unknown): crypto.ECDH {
  const ecdh = crypto.createECDH(text(name, 100));
  if (privateKey !== undefined) ecdh.setPrivateKey(bytes(privateKey));
  return ecdh;
}

/** `['size', bits, generator]`, `['prime', prime, generator]` or `['group', name]`. */
function groupOf(spec: unknown): crypto.DiffieHellman {
  if (!Array.isArray(spec)) throw new BadOperation('expected a group');
  const [kind, first, second]: unknown[] = spec;
  if (kind === 'group') return crypto.getDiffieHellman(text(first, 100)) as crypto.DiffieHellman;
  const generator = typeof second === 'number' ? integer(second, -(2 ** 31), 2 ** 31) : bytes(second, 4096);
  if (kind === 'size') return groupOfSize(integer(first, -(2 ** 31), maxPrimeBits), generator as number);
  return crypto.createDiffieHellman(bytes(first, 4096), generator);
}

/** When it fails, Node.js leaves OpenSSL's error to the next read of a key. An attempt to read no key removes it. */
function groupOfSize(bits: number, generator: number): crypto.DiffieHellman {
  try {
    return crypto.createDiffieHellman(bits, generator);
  } catch (error) {
    try {
      crypto.createPublicKey('none');
    } catch {}
    throw error;
  }
}

/** Key agreement. The isolate holds the keys, so each call is independent. */
export const exchangeOperations: Operations = {
  'crypto.ecdhCheck'(curve) {
    curveOf(curve);
  },
  'crypto.ecdhGenerate'(curve) {
    const ecdh = curveOf(curve);
    ecdh.generateKeys();
    return [exact(ecdh.getPrivateKey()), exact(ecdh.getPublicKey())];
  },
  'crypto.ecdhPublic': (curve, privateKey) => exact(curveOf(curve, privateKey).getPublicKey()),
  'crypto.ecdhSecret': (curve, privateKey, other) =>
    exact(curveOf(curve, privateKey).computeSecret(bytes(other))),
  'crypto.ecdhConvert'(key, curve, format) {
    const name = formats[integer(format, 2, 6)];
    return exact(pointAs(name, key, text(curve, 100)));
  },
  'crypto.dhOpen'(spec) {
    const group = groupOf(spec);
    return {
      prime: exact(group.getPrime()),
      generator: exact(group.getGenerator()),
      verifyError: group.verifyError,
    };
  },
  'crypto.dhGenerate'(spec, privateKey) {
    const group = groupOf(spec);
    if (privateKey !== undefined) group.setPrivateKey(bytes(privateKey));
    const publicKey = exact(group.generateKeys());
    return [exact(group.getPrivateKey()), publicKey];
  },
  'crypto.dhSecret'(spec, privateKey, other) {
    const group = groupOf(spec);
    if (oneOf(Array.isArray(spec) ? spec[0] : '', ['prime', 'group']) === 'group') {
      const copy = crypto.createDiffieHellman(group.getPrime(), group.getGenerator());
      copy.setPrivateKey(bytes(privateKey));
      return exact(copy.computeSecret(bytes(other)));
    }
    group.setPrivateKey(bytes(privateKey));
    return exact(group.computeSecret(bytes(other)));
  },
  'crypto.dhStateless'(privateKey, publicKey) {
    const [own, other] = [heldKey(privateKey), heldKey(publicKey)];
    if (own === undefined || other === undefined) throw new BadOperation('expected keys');
    return exact(crypto.diffieHellman({ privateKey: own, publicKey: other }));
  },
};
