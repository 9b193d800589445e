import { type X509Certificate, createHash } from 'node:crypto';

const form = /^sha256\/([A-Za-z0-9+/]{43}=)$/;

/** Whether it is `sha256/` and the base64 of a SHA-256 digest (the form of RFC 7469 section 2.4). */
export function isPublicKeyPin(text: string): boolean {
  const [, digest] = form.exec(text) ?? [];
  // Other last characters would mean the same bytes.
  return digest !== undefined && Buffer.from(digest, 'base64').toString('base64') === digest;
}

/** The pin of a certificate's public key: of its SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) in DER. */
export function publicKeyPin({ publicKey }: X509Certificate): string {
  const info = publicKey.export({ type: 'spki', format: 'der' });
  return `sha256/${createHash('sha256').update(info).digest('base64')}`;
}
