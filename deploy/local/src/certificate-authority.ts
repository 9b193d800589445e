// @peculiar/x509 needs it first.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

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

/** An authority for development and tests (RFC 5280, ECDSA P-256). Its key is in memory only. */
export interface CertificateAuthority {
  /** PEM. */
  readonly cert: string;
  /** A certificate for both ends of TLS. */
  issue(request: CertificateRequest): Promise<IssuedCertificate>;
}

const day = 86_400_000;
const p256 = { name: 'ECDSA', namedCurve: 'P-256' };
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };

const aDayAgo = () => new Date(Date.now() - day);

export async function createCertificateAuthority(name: string): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm,
    notBefore: aDayAgo(),
    notAfter: new Date(Date.now() + 3650 * day),
    extensions: [
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    cert: `${root.toString('pem')}\n`,
    issue: (request) => issueCertificate(`CN=${name}`, keys, request),
  };
}

async function issueCertificate(
  issuer: string,
  { publicKey: issuerKey, privateKey: signingKey }: Awaited<ReturnType<typeof generateKeys>>,
  { uris, hosts = [], notBefore = aDayAgo(), notAfter }: CertificateRequest,
): Promise<IssuedCertificate> {
  const { publicKey, privateKey } = await generateKeys();
  const names = [
    ...uris.map((value) => ({ type: 'url' as const, value })),
    ...hosts.map((value) => ({ type: 'dns' as const, value })),
  ];
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=service',
    issuer,
    publicKey,
    signingKey,
    signingAlgorithm,
    notBefore,
    notAfter,
    extensions: [
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      // Tells two authorities of the same name apart.
      await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', privateKey);
  return { cert: `${cert.toString('pem')}\n`, key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n` };
}

function generateKeys() {
  return crypto.subtle.generateKey(p256, true, ['sign', 'verify']);
}
