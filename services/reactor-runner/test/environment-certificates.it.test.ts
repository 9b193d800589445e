import { X509Certificate, createPublicKey } from 'node:crypto';

import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

const authority = await createCertificateAuthority('Test CA');
const { cert, key } = await authority.issue({
  uris: ['spiffe://example/pay'],
  hosts: ['pay.example.com'],
  notAfter: new Date(Date.now() + 3_600_000),
});

/** `crypto.X509Certificate` as user code finds it, held against that of the runner's own Node.js. */
describe('the certificates of user code', () => {
  const known = new X509Certificate(cert);
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  const valueOf = (body: string) => {
    const code = `const { X509Certificate, createPrivateKey, createPublicKey, createSign, createVerify } = require('crypto');
      module.exports = async ({ cert, key, ca }) => {\n${body}\n};`;
    return runner.run(code, { cert, key, ca: authority.cert });
  };

  it('say what they are', async () => {
    const values = await valueOf(`
      const certificate = new X509Certificate(cert);
      const { subject, issuer, validFrom, validTo, serialNumber, fingerprint256, subjectAltName, ca: isCa } = certificate;
      const again = new X509Certificate(certificate.raw);
      return { subject, issuer, validFrom, validTo, serialNumber, fingerprint256, subjectAltName, isCa,
        isSame: again.fingerprint512 === certificate.fingerprint512, pem: String(certificate),
        raw: certificate.raw.toString('hex'), legacy: certificate.toLegacyObject().subject };`);
    const { subject, issuer, validFrom, validTo, serialNumber, fingerprint256, subjectAltName } = known;
    expect(values).to.deep.equal({
      ...{ subject, issuer, validFrom, validTo, serialNumber, fingerprint256, subjectAltName },
      isCa: false,
      isSame: true,
      pem: known.toString(),
      raw: known.raw.toString('hex'),
      legacy: subject,
    });
  });

  it('are checked against names, issuers and keys', async () => {
    const values = await valueOf(`
      const [certificate, issuer] = [new X509Certificate(cert), new X509Certificate(ca)];
      return [
        certificate.checkHost('pay.example.com'), certificate.checkHost('evil.example.com') === undefined,
        certificate.checkIP('127.0.0.1') === undefined,
        certificate.checkIssued(issuer), issuer.checkIssued(certificate),
        certificate.verify(issuer.publicKey), certificate.verify(certificate.publicKey),
        certificate.checkPrivateKey(createPrivateKey(key)), issuer.checkPrivateKey(createPrivateKey(key)),
        certificate.publicKey.export({ type: 'spki', format: 'pem' }),
      ];`);
    const publicKey = createPublicKey(cert).export({ type: 'spki', format: 'pem' });
    const checks = ['pay.example.com', true, true, true, false, true, false, true, false];
    expect(values).to.deep.equal([...checks, publicKey]);
  });

  it('check a signature, as webhooks have one', async () => {
    const values = await valueOf(`
      const signature = createSign('sha256').update('event').sign(key);
      const isSigned = (text) => createVerify('sha256').update(text).verify(new X509Certificate(cert).publicKey, signature);
      return [isSigned('event'), isSigned('another')];`);
    expect(values).to.deep.equal([true, false]);
  });

  it('are refused with the errors of Node.js 16', async () => {
    const values = await valueOf(`
      const attempt = (run) => { try { return run(); } catch ({ code, message }) { return [code, message]; } };
      const certificate = new X509Certificate(cert);
      return [
        attempt(() => new X509Certificate('nonsense')), attempt(() => certificate.checkIP('nowhere')),
        attempt(() => certificate.checkHost(1)), attempt(() => certificate.checkPrivateKey(certificate.publicKey))[0],
      ];`);
    expect(values).to.deep.equal([
      ['ERR_OSSL_PEM_NO_START_LINE', 'error:0909006C:PEM routines:get_name:no start line'],
      ['ERR_INVALID_ARG_VALUE', 'Invalid IP'],
      ['ERR_INVALID_ARG_TYPE', 'The "name" argument must be of type string. Received type number (1)'],
      'ERR_INVALID_ARG_VALUE',
    ]);
    const large = await failureOf(valueOf('return new X509Certificate(Buffer.alloc(2 * 1024 * 1024));'));
    expect(large.errors['error']?.[0]).to.contain('a buffer is longer than 1048576 bytes');
  });
});
