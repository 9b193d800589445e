import { X509Certificate } from 'node:crypto';

/** Its classes do not hold what the literals begin with, so that it takes time in proportion to the text. */
const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a text in PEM (RFC 7468) that holds nothing else; undefined for any other text, an empty one too.
 */
export function readCertificates(pem: string): readonly [X509Certificate, ...X509Certificate[]] | undefined {
  if (pem.replaceAll(block, '').trim() !== '') return undefined;
  try {
    const [leaf, ...chain] = (pem.match(block) ?? []).map((one) => new X509Certificate(one));
    return leaf === undefined ? undefined : [leaf, ...chain];
  } catch {
    return undefined;
  }
}
