import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPairSync,
  privateDecrypt,
  verify,
} from 'node:crypto';

import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = {
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
};
const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k1' };
const json = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;

/** What comes out is checked by Node's own crypto, on the other side of the isolate. */
describe('packages for cryptography', () => {
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner();
  });
  after(() => packages[Symbol.asyncDispose]());

  it('crypto-js encrypts and hashes, as a whole and by single files', async () => {
    const key = '000102030405060708090a0b0c0d0e0f';
    const value = await packages.valueOf(
      `const CryptoJS = require('crypto-js');
      const key = CryptoJS.enc.Hex.parse(req.key);
      const encrypted = CryptoJS.AES.encrypt('4242 €', key, { iv: key }).toString();
      const password = CryptoJS.AES.encrypt('secret', 'password').toString();
      return [encrypted, CryptoJS.AES.decrypt(password, 'password').toString(CryptoJS.enc.Utf8),
        CryptoJS.HmacSHA256('message', 'key').toString(), require('crypto-js/sha512')('message').toString(),
        CryptoJS.PBKDF2('p', 'salt', { keySize: 4, iterations: 2, hasher: CryptoJS.algo.SHA1 }).toString().length,
        CryptoJS.lib.WordArray.random(16).toString().length];`,
      { key },
    );
    const cipher = createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.from(key, 'hex'));
    expect(value).to.deep.equal([
      cipher.update('4242 €', 'utf8', 'base64') + cipher.final('base64'),
      'secret',
      createHmac('sha256', 'key').update('message').digest('hex'),
      createHash('sha512').update('message').digest('hex'),
      32,
      32,
    ]);
  });

  it('jsonwebtoken signs and verifies', async () => {
    const [token, hmac, problems] = (await packages.valueOf(
      `const jwt = require('jsonwebtoken');
      const token = jwt.sign({ sub: 'user' }, req.privateKey, { algorithm: 'RS256', expiresIn: '1h', keyid: 'k1' });
      const hmac = jwt.verify(jwt.sign({ a: 1 }, 'secret', { noTimestamp: true }), 'secret');
      const problems = [
        () => jwt.verify(token, req.publicKey, { audience: 'other' }),
        () => jwt.verify(jwt.sign({ exp: 1 }, 'secret'), 'secret'),
        () => jwt.verify(token.replace(/\\.(.)([^.]*)$/, (_, first, rest) => '.' + (first === 'A' ? 'B' : 'A') + rest), req.publicKey),
      ].map((attempt) => { try { attempt(); } catch (error) { return error.name + ': ' + error.message; } });
      if (jwt.verify(token, req.publicKey).sub !== 'user') throw new Error('not verified');
      return [token, hmac, problems];`,
      pem,
    )) as [string, object, string[]];
    const [head = '', body = '', signature = ''] = token.split('.');
    expect(json(head)).to.deep.equal({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    expect([isSigned, hmac]).to.deep.equal([true, { a: 1 }]);
    expect(problems).to.deep.equal([
      'JsonWebTokenError: jwt audience invalid. expected: other',
      'TokenExpiredError: jwt expired',
      'JsonWebTokenError: invalid signature',
    ]);
  });

  it('jose signs, encrypts, and makes and reads keys', async () => {
    const [token, jwe, opened, problem] = (await packages.valueOf(
      `const jose = require('jose');
      const key = await jose.importPKCS8(req.pem.privateKey, 'PS256');
      const token = await new jose.SignJWT({ sub: 'user' }).setProtectedHeader({ alg: 'PS256' }).setIssuedAt().sign(key);
      await jose.jwtVerify(token, await jose.importSPKI(req.pem.publicKey, 'PS256'));
      const jwe = await new jose.CompactEncrypt(new TextEncoder().encode('4242'))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }).encrypt(await jose.importJWK({ ...req.jwk }, 'RSA-OAEP-256'));
      const pair = await jose.generateKeyPair('ECDH-ES+A128KW', { crv: 'P-256' });
      const other = await new jose.EncryptJWT({ a: 1 }).setProtectedHeader({ alg: 'ECDH-ES+A128KW', enc: 'A128CBC-HS256' })
        .encrypt(pair.publicKey);
      const opened = (await jose.jwtDecrypt(other, pair.privateKey)).payload;
      const problem = await jose.jwtVerify(token + 'x', key).catch((error) => error.code);
      return [token, jwe, opened, problem];`,
      { pem, jwk },
    )) as [string, string, object, string];
    const [head = '', body = '', signature = ''] = token.split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: publicKey, padding: 6, saltLength: 32 },
      Buffer.from(signature, 'base64url'),
    );
    expect([isSigned, openJwe(jwe), opened]).to.deep.equal([true, '4242', { a: 1 }]);
    expect(problem).to.match(/^ERR_J/);
  });

  it('node-jose signs, encrypts, and keeps keys', async () => {
    const [jws, jwe, opened, thumbprint] = (await packages.valueOf(
      `const { JWK, JWS, JWE } = require('node-jose');
      const key = await JWK.asKey(req.jwk);
      const jws = await JWS.createSign({ format: 'compact', fields: { alg: 'RS256' } }, key).update('payload').final();
      await JWS.createVerify(key).verify(jws);
      const jwe = await JWE.createEncrypt({ format: 'compact', contentAlg: 'A256GCM', fields: { alg: 'RSA-OAEP-256' } }, key)
        .update(Buffer.from('4242')).final();
      const store = JWK.createKeyStore();
      const made = await store.generate('oct', 256, { alg: 'A256GCM' });
      const other = await JWE.createEncrypt({ format: 'compact' }, made).update('text').final();
      const opened = (await JWE.createDecrypt(store).decrypt(other)).plaintext.toString();
      return [jws, jwe, opened, (await key.thumbprint('SHA-256')).toString('base64url')];`,
      { jwk },
    )) as [string, string, string, string];
    const [head = '', body = '', signature = ''] = jws.split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { e, n } = jwk;
    const print = createHash('sha256')
      .update(JSON.stringify({ e, kty: 'RSA', n }))
      .digest('base64url');
    expect([isSigned, openJwe(jwe), opened, thumbprint]).to.deep.equal([true, '4242', 'text', print]);
  });

  it('node-forge makes certificates, PKCS #12 and PKCS #7', async () => {
    const value = (await packages.valueOf(`
      const forge = require('node-forge');
      const { pki, pkcs7, pkcs12, asn1, util, md } = forge;
      const keys = pki.rsa.generateKeyPair(2048);
      const cert = pki.createCertificate();
      cert.publicKey = keys.publicKey;
      cert.serialNumber = '01';
      cert.validity.notAfter.setFullYear(cert.validity.notBefore.getFullYear() + 1);
      cert.setSubject([{ name: 'commonName', value: 'glovebox' }]);
      cert.setIssuer([{ name: 'commonName', value: 'glovebox' }]);
      cert.sign(keys.privateKey, md.sha256.create());
      const sealed = asn1.toDer(pkcs12.toPkcs12Asn1(keys.privateKey, [cert], 'password')).getBytes();
      const bags = pkcs12.pkcs12FromAsn1(asn1.fromDer(sealed), 'password').getBags({ bagType: pki.oids.certBag });
      const envelope = pkcs7.createEnvelopedData();
      envelope.addRecipient(cert);
      envelope.content = util.createBuffer('4242');
      envelope.encrypt();
      const read = pkcs7.messageFromPem(pkcs7.messageToPem(envelope));
      read.decrypt(read.recipients[0], keys.privateKey);
      return [cert.verify(cert), bags[pki.oids.certBag][0].cert.subject.getField('CN').value, read.content.data,
        md.sha1.create().update('abc').digest().toHex(), pki.certificateToPem(cert).slice(0, 27)];`)) as unknown[];
    expect(value).to.deep.equal([
      true,
      'glovebox',
      '4242',
      createHash('sha1').update('abc').digest('hex'),
      '-----BEGIN CERTIFICATE-----',
    ]);
  });

  it('openpgp encrypts, signs and decrypts', async () => {
    const value = await packages.valueOf(`
      const openpgp = require('openpgp');
      const { privateKey, publicKey } = await openpgp.generateKey({
        userIDs: [{ name: 'Glovebox', email: 'a@b.co' }], passphrase: 'secret' });
      const key = await openpgp.decryptKey({
        privateKey: await openpgp.readPrivateKey({ armoredKey: privateKey }), passphrase: 'secret' });
      const encrypted = await openpgp.encrypt({
        message: await openpgp.createMessage({ text: 'pan 4242 €' }),
        encryptionKeys: await openpgp.readKey({ armoredKey: publicKey }), signingKeys: key });
      const { data, signatures } = await openpgp.decrypt({
        message: await openpgp.readMessage({ armoredMessage: encrypted }), decryptionKeys: key,
        verificationKeys: await openpgp.readKey({ armoredKey: publicKey }) });
      const other = await openpgp.encrypt({
        message: await openpgp.createMessage({ binary: new Uint8Array([1, 2]) }), passwords: ['p'], format: 'binary' });
      const opened = await openpgp.decrypt({
        message: await openpgp.readMessage({ binaryMessage: other }), passwords: ['p'], format: 'binary' });
      return [encrypted.slice(0, 27), data, await signatures[0].verified, Array.from(opened.data)];`);
    expect(value).to.deep.equal(['-----BEGIN PGP MESSAGE-----', 'pan 4242 €', true, [1, 2]]);
  });

  it('mastercard-oauth1-signer signs a request', async () => {
    const uri = 'https://api.mastercard.com/service?b=2&a=1';
    const header = (await packages.valueOf(
      `return require('mastercard-oauth1-signer').getAuthorizationHeader(
        ${JSON.stringify(uri)}, 'POST', '{"pan":"4242"}', 'consumer', req.privateKey);`,
      pem,
    )) as string;
    const fields: Record<string, string> = Object.fromEntries(
      [...header.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        decodeURIComponent(value),
      ]),
    );
    const hash = createHash('sha256').update('{"pan":"4242"}').digest('base64');
    expect(fields).to.include({
      oauth_body_hash: hash,
      oauth_consumer_key: 'consumer',
      oauth_signature_method: 'RSA-SHA256',
    });
    const { oauth_signature: signature = '', ...signed } = fields;
    const parameters = Object.entries({ ...signed, a: '1', b: '2' })
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join('&');
    const base = ['POST', 'https://api.mastercard.com/service', parameters].map(encodeURIComponent).join('&');
    expect(verify('sha256', Buffer.from(base), publicKey, Buffer.from(signature, 'base64'))).to.equal(true);
  });

  it('mastercard-client-encryption encrypts fields of a payload, and decrypts them', async () => {
    const { encrypted, decrypted, privateKeyPem } = (await packages.valueOf(
      `${makeCertificate}
      const { FieldLevelEncryption } = require('mastercard-client-encryption');
      const fields = { encryptedValueFieldName: 'encryptedData', encryptedKeyFieldName: 'encryptedKey',
        publicKeyFingerprintFieldName: 'fingerprint', oaepHashingAlgorithmFieldName: 'oaepHashingAlgorithm' };
      const fle = new FieldLevelEncryption({
        paths: [{ path: '/pay', toEncrypt: [{ element: 'card', obj: 'sealed' }], toDecrypt: [{ element: 'sealed', obj: 'card' }] }],
        ivFieldName: 'iv', ...fields, dataEncoding: 'hex', oaepPaddingDigestAlgorithm: 'SHA-256',
        useCertificateContent: true, encryptionCertificate: certificate, privateKey, publicKeyFingerprintType: 'certificate' });
      const { body } = fle.encrypt('https://api/pay', {}, { card: { pan: '4242' }, amount: 1 });
      const encrypted = JSON.parse(JSON.stringify(body));
      return { encrypted, privateKeyPem: privateKey,
        decrypted: fle.decrypt({ request: { url: 'https://api/pay' }, body, header: {} }) };`,
    )) as {
      encrypted: { sealed: Record<string, string>; amount: number };
      decrypted: object;
      privateKeyPem: string;
    };
    const { sealed, amount } = encrypted;
    expect([amount, sealed['fingerprint']?.length, sealed['oaepHashingAlgorithm']]).to.deep.equal([
      1,
      64,
      'SHA256',
    ]);
    const secret = privateDecrypt(
      { key: privateKeyPem, oaepHash: 'sha256' },
      Buffer.from(sealed['encryptedKey'] ?? '', 'hex'),
    );
    const decipher = createDecipheriv('aes-128-cbc', secret, Buffer.from(sealed['iv'] ?? '', 'hex'));
    expect(decipher.update(sealed['encryptedData'] ?? '', 'hex', 'utf8') + decipher.final('utf8')).to.equal(
      '{"pan":"4242"}',
    );
    expect(decrypted).to.deep.equal({ card: { pan: '4242' }, amount: 1 });
  });
});

const makeCertificate = `
  const { pki, md } = require('node-forge');
  const pair = pki.rsa.generateKeyPair(2048);
  const cert = pki.createCertificate();
  cert.publicKey = pair.publicKey;
  cert.setSubject([{ name: 'commonName', value: 'glovebox' }]);
  cert.setIssuer([{ name: 'commonName', value: 'glovebox' }]);
  cert.sign(pair.privateKey, md.sha256.create());
  const certificate = pki.certificateToPem(cert);
  const privateKey = pki.privateKeyToPem(pair.privateKey);`;

/** RSA-OAEP-256 and A256GCM in compact form (RFC 7516). */
function openJwe(jwe: string): string {
  const [head = '', key = '', iv = '', text = '', tag = ''] = jwe.split('.');
  const secret = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, Buffer.from(key, 'base64url'));
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(head)).setAuthTag(Buffer.from(tag, 'base64url'));
  return decipher.update(text, 'base64url', 'utf8') + decipher.final('utf8');
}
