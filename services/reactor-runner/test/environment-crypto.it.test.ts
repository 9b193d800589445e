import { createHash, createHmac, hkdfSync, pbkdf2Sync, scryptSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

/** `crypto` and `zlib` as user code finds them, in the real worker process. */
describe('the work of the host for user code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner({ limits: { wallMs: 10_000 } });
  });
  after(() => runner[Symbol.asyncDispose]());

  const valueOf = (body: string) =>
    runner.run(`const crypto = require('crypto'); const zlib = require('zlib'); const { promisify } = require('util');
      module.exports = async (req) => {\n${body}\n};`);

  it('hashes as Node.js does', async () => {
    expect(
      await valueOf(`return [
        crypto.createHash('sha256').update('a').update(Buffer.from('b')).digest('hex'),
        crypto.createHmac('sha1', 'key').update('data').digest('base64'),
        crypto.pbkdf2Sync('p', 's', 1000, 16, 'sha512').toString('hex'),
        (await promisify(crypto.pbkdf2)('p', 's', 1000, 16, 'sha512')).toString('hex'),
        (await promisify(crypto.scrypt)('p', 's', 16)).toString('hex'),
        crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a'))];`),
    ).to.deep.equal([
      createHash('sha256').update('ab').digest('hex'),
      createHmac('sha1', 'key').update('data').digest('base64'),
      pbkdf2Sync('p', 's', 1000, 16, 'sha512').toString('hex'),
      pbkdf2Sync('p', 's', 1000, 16, 'sha512').toString('hex'),
      scryptSync('p', 's', 16).toString('hex'),
      true,
    ]);
  });

  it('encrypts and decrypts, and refuses what was changed', async () => {
    expect(
      await valueOf(`
      const key = crypto.randomBytes(32); const iv = crypto.randomBytes(12);
      const cipher = crypto.createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad'));
      const sealed = Buffer.concat([cipher.update('a secret', 'utf8'), cipher.final()]);
      const open = (tag) => {
        const decipher = crypto.createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad')).setAuthTag(tag);
        return decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8');
      };
      let refused; try { open(Buffer.alloc(16)); } catch (error) { refused = error.message; }
      return [open(cipher.getAuthTag()), refused];`),
    ).to.deep.equal(['a secret', 'Unsupported state or unable to authenticate data']);
  });

  it('has what OpenSSL 1.1.1 has, and its successor keeps apart', async () => {
    const value = await valueOf(`
      const encrypt = (name, key) => {
        const cipher = crypto.createCipheriv(name, key, '');
        return cipher.update('Hello World!', 'ascii', 'hex') + cipher.final('hex');
      };
      return [encrypt('bf-ecb', 'SomeRandomBlahz0c5GZVnR'), encrypt('des-ecb', Buffer.from('0123456789abcdef', 'hex')),
        encrypt('rc4', Buffer.alloc(16, 1)), crypto.createHash('md4').update('a').digest('hex')];`);
    expect(value).to.deep.equal([
      '6d385f424aab0cfbf0bb86e07ffb7d71',
      '9b5fe4077ba0471d6ed8992168cc623f',
      '4e6d626277007e464b5f2d76',
      'bde52cb31de33e46245e05fbdbd6fb24',
    ]);
  });

  it('makes, exports, imports and uses keys', async () => {
    expect(
      await valueOf(`
      const rsa = await promisify(crypto.generateKeyPair)('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
      const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = crypto.createPublicKey({ key: ec.publicKey.export({ format: 'jwk' }), format: 'jwk' });
      const [a, b] = [crypto.createECDH('secp256k1'), crypto.createECDH('secp256k1')];
      a.generateKeys(); b.generateKeys();
      return [
        crypto.createVerify('sha256').update('x').verify(rsa.publicKey, crypto.createSign('sha256').update('x').sign(rsa.privateKey)),
        crypto.verify('sha256', Buffer.from('x'), jwk, crypto.sign('sha256', Buffer.from('x'), ec.privateKey)),
        crypto.privateDecrypt(rsa.privateKey, crypto.publicEncrypt(rsa.publicKey, Buffer.from('hidden'))).toString(),
        a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey())),
        ec.privateKey.asymmetricKeyType, ec.publicKey.asymmetricKeyDetails, crypto.createSecretKey(Buffer.alloc(5)).symmetricKeySize,
        require('util').types.isKeyObject(ec.publicKey), crypto.randomUUID().length];`),
    ).to.deep.equal([true, true, 'hidden', true, 'ec', { namedCurve: 'prime256v1' }, 5, true, 36]);
  });

  it('derives keys by HKDF, and tells the details of RSA keys', async () => {
    expect(
      await valueOf(`
      const { publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
      return [Buffer.from(crypto.hkdfSync('sha256', 'key', 'salt', 'info', 8)).toString('hex'),
        String(publicKey.asymmetricKeyDetails.publicExponent), publicKey.asymmetricKeyDetails.modulusLength];`),
    ).to.deep.equal([
      Buffer.from(hkdfSync('sha256', 'key', 'salt', 'info', 8)).toString('hex'),
      '65537',
      1024,
    ]);
  });

  it('has Web Crypto', async () => {
    expect(
      await valueOf(`
      const { subtle } = crypto.webcrypto;
      const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
      const algorithm = { name: 'AES-GCM', iv: Buffer.alloc(12), additionalData: Buffer.from('aad') };
      const sealed = await subtle.encrypt(algorithm, key, Buffer.from('a secret'));
      const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
      const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, Buffer.from('x'));
      return [Buffer.from(await subtle.decrypt(algorithm, key, sealed)).toString(),
        await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, pair.publicKey, signature, Buffer.from('x')),
        Buffer.from(await subtle.digest('SHA-1', Buffer.from('a'))).toString('hex')];`),
    ).to.deep.equal(['a secret', true, createHash('sha1').update('a').digest('hex')]);
  });

  it('takes a point of a curve for a key, also compressed', async () => {
    const value = await valueOf(`
      const { subtle } = crypto.webcrypto;
      const matches = [];
      for (const [namedCurve, curve] of [['P-256', 'prime256v1'], ['P-384', 'secp384r1'], ['P-521', 'secp521r1']]) {
        const ecdh = crypto.createECDH(curve);
        const point = ecdh.generateKeys();
        for (const raw of [point, ecdh.getPublicKey(null, 'compressed')]) {
          const key = await subtle.importKey('raw', raw, { name: 'ECDH', namedCurve }, true, []);
          matches.push(Buffer.from(await subtle.exportKey('raw', key)).equals(point));
        }
      }
      const point = Buffer.alloc(65, 4);
      const wrong = await subtle.importKey('raw', point, { name: 'ECDH', namedCurve: 'P-256' }, true, []).catch(({ name }) => name);
      return [matches, wrong];`);
    expect(value).to.deep.equal([Array(6).fill(true), 'OperationError']);
  });

  it('says what is wrong as Node.js 16 does, whose OpenSSL is older', async () => {
    const value = await valueOf(`
      const said = (run) => { try { run(); } catch ({ name, code, message }) { return [name, code, message]; } };
      const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } });
      const unpadded = (make) => said(() => {
        const cipher = make('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)).setAutoPadding(false);
        cipher.update('odd');
        cipher.final();
      });
      return [said(() => crypto.createPrivateKey(privateKey)), unpadded(crypto.createCipheriv), unpadded(crypto.createDecipheriv),
        said(() => crypto.publicEncrypt({ key: publicKey, oaepHash: 'none' }, Buffer.alloc(1))),
        said(() => crypto.hkdfSync('sha256', 'key', '', '', 255 * 32 + 1)),
        await crypto.webcrypto.subtle.digest({ name: 'SHA-512', length: 8 }, Buffer.alloc(1)).catch(({ message }) => message)];`);
    const evp = 'digital envelope routines';
    expect(value).to.deep.equal([
      ['TypeError', 'ERR_MISSING_PASSPHRASE', 'Passphrase required for encrypted key'],
      [
        'Error',
        'ERR_OSSL_EVP_DATA_NOT_MULTIPLE_OF_BLOCK_LENGTH',
        `error:0607F08A:${evp}:EVP_EncryptFinal_ex:data not multiple of block length`,
      ],
      [
        'Error',
        'ERR_OSSL_EVP_WRONG_FINAL_BLOCK_LENGTH',
        `error:0606506D:${evp}:EVP_DecryptFinal_ex:wrong final block length`,
      ],
      ['Error', 'ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used'],
      ['RangeError', 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length'],
      'Digest method not supported',
    ]);
  });

  it('compares in constant time, and says of what has another length that it has', async () => {
    const value = await valueOf(`
      const { timingSafeEqual } = crypto;
      const told = [timingSafeEqual(Buffer.from('ab'), Buffer.from('ab')), timingSafeEqual(Buffer.from('ab'), Buffer.from('ac'))];
      try { timingSafeEqual(Buffer.from('ab'), Buffer.from('abc')); } catch (error) { told.push(error instanceof RangeError, error.name, error.code, error.message); }
      return told;`);
    const words = 'Input buffers must have the same byte length';
    const code = 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH';
    expect(value).to.deep.equal([true, false, true, 'RangeError', code, words]);
  });

  it('says of each call what is wrong with that one', async () => {
    const value = await valueOf(`
      const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
      const said = [];
      try { crypto.createDiffieHellman(256); } catch ({ message }) { said.push(message); }
      return [...said, crypto.createPrivateKey(pem).asymmetricKeyType];`);
    expect(value).to.deep.equal(['Invalid DH parameters', 'ec']);
  });

  it('compresses at once, later and in streams', async () => {
    const text = 'compress me '.repeat(1000);
    expect(
      await valueOf(`
      const text = ${JSON.stringify(text)};
      const chunks = [];
      await require('stream/promises').pipeline(
        require('stream').Readable.from([Buffer.from(text)]), zlib.createDeflate(), zlib.createInflate(),
        async function (source) { for await (const chunk of source) chunks.push(chunk); });
      const brotli = zlib.brotliDecompressSync(await promisify(zlib.brotliCompress)(text)).toString() === text;
      return [zlib.gunzipSync(Buffer.from('${gzipSync(text).toString('base64')}', 'base64')).toString() === text,
        brotli, Buffer.concat(chunks).toString() === text];`),
    ).to.deep.equal([true, true, true]);
    const packed = (await valueOf(`return zlib.gzipSync('abc').toString('base64');`)) as string;
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).to.equal('abc');
  });

  it('is bounded, whatever is asked for', async () => {
    const attempts = [
      'crypto.pbkdf2Sync("p", "s", 1e9, 64, "sha512")',
      'await promisify(crypto.pbkdf2)("p", "s", 2e9, 64, "sha512")',
      'crypto.randomBytes(2 ** 31 - 1)',
      'crypto.scryptSync("p", "s", 64, { N: 2 ** 24, r: 64, maxmem: 2 ** 40 })',
      'crypto.generateKeyPairSync("rsa", { modulusLength: 65536 })',
      'crypto.generatePrimeSync(100_000)',
      'crypto.createDiffieHellman(100_000)',
      'zlib.inflateSync(zlib.deflateSync(Buffer.alloc(1e6)), { chunkSize: 2 ** 31 })',
      'for (;;) zlib.createGzip()',
      'for (;;) crypto.createCipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16))',
      'for (;;) crypto.randomBytes(16, () => {})',
      'for (;;) crypto.pbkdf2(Buffer.alloc(8e6), "s", 1, 8, "sha1", () => {})',
    ];
    for (const attempt of attempts) {
      const started = performance.now();
      const error = await failureOf(valueOf(attempt));
      expect(error.code, attempt).to.equal('internal');
      // Without a bound the cheapest of these takes minutes.
      expect(performance.now() - started, attempt).to.be.lessThan(30_000);
    }
    expect(await valueOf('return 1')).to.equal(1);
  });

  it('gives bytes of exactly their size, so that no other buffer of the host shows', async () => {
    expect(
      await valueOf(`
      const views = [crypto.randomBytes(5), crypto.createHash('md5').update('').digest(),
        crypto.createCipheriv('aes-128-ecb', Buffer.alloc(16), null).final(), crypto.scryptSync('a', 'b', 7), Buffer.from('x'.repeat(20000))];
      return views.map((view) => view.buffer.byteLength === view.length || view.buffer === Buffer.from('').buffer);`),
    ).to.deep.equal([true, true, true, true, true]);
  });

  it('drops what a run leaves behind', async () => {
    const code = `const crypto = require('crypto'); let done = 0;
      module.exports = async (req) => {
        if (req.leave) { for (let i = 0; i < 8; i += 1) crypto.pbkdf2('p', 's', 50_000, 64, 'sha512', () => { done += 1; }); return done; }
        await new Promise((resolve) => setTimeout(resolve, 300));
        return done;
      };`;
    expect(await runner.run(code, { leave: true })).to.equal(0);
    expect(await runner.run(code, { leave: false })).to.equal(0);
  });
});
