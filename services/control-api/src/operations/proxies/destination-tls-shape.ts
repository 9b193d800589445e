import type { X509Certificate } from 'node:crypto';

import { isPublicKeyPin } from '@glovebox/egress/public-key-pin';
import { readCertificates } from '@glovebox/egress/read-certificates';
import * as z from 'zod';

import { list } from '../../http/shape.ts';

/** Bounds of `destination_tls` (contract/limits.md#field-bounds). */
const maxChain = 10;
const maxAuthorities = 20;
const maxPins = 10;
const maxPemLength = 16_384;
const maxAuthoritiesLength = 65_536;

/** What a request sends as `destination_tls`; undefined where a patch changes nothing, null for none. */
export const destinationTlsShape = z
  .object(
    {
      client_certificate: certificates(maxChain, maxPemLength).nullish(),
      client_key: pem(maxPemLength).nullish(),
      ca: certificates(maxAuthorities, maxAuthoritiesLength).nullish(),
      pins: list(maxPins, pin()).nullish(),
    },
    'must be an object',
  )
  .nullish();

export type SentDestinationTls = z.infer<typeof destinationTlsShape>;

function pem(maxLength: number) {
  return z
    .string('must be a string')
    .max(maxLength, { error: `must be at most ${maxLength} characters long`, abort: true });
}

function certificates(maxCount: number, maxLength: number) {
  return pem(maxLength).superRefine((text, context) => {
    const message = problemOf(readCertificates(text), maxCount);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

function problemOf(found: readonly X509Certificate[] | undefined, maxCount: number): string | undefined {
  if (found === undefined) return 'must be certificates in PEM, and nothing else';
  if (found.length > maxCount) return `must have at most ${maxCount} certificates`;
  const expired = found.find(({ validToDate }) => validToDate.getTime() <= Date.now());
  return expired && `has a certificate that expired on ${expired.validToDate.toISOString()}`;
}

function pin() {
  return z
    .string('must be a string')
    .refine(isPublicKeyPin, 'must be sha256/ and the base64 of a SHA-256 digest, 51 characters together');
}
