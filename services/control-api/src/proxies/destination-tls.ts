import { readCertificates } from '@glovebox/egress/read-certificates';
import type { DestinationTls as PublishedTls } from '@glovebox/protos/published/v1/published';

import type { Resealed } from '../secrets/resealed.ts';

/** How a proxy and its destination identify themselves, as it is stored. Texts are PEM; the key is in base64. */
export interface DestinationTls {
  readonly client_certificate: string | null;
  readonly sealed_client_key: string | null;
  readonly ca: string | null;
  readonly pins: readonly string[];
}

/** Under which the vault seals the key (secrets/sealer.ts). */
export const clientKeyField = 'destination_tls.client_key';

/** With its key sealed anew. */
export function resealedTls(tls: DestinationTls | null, resealed: Resealed): DestinationTls | null {
  if (tls === null || tls.sealed_client_key === null) return tls;
  return { ...tls, sealed_client_key: resealed.text(tls.sealed_client_key) };
}

/** As the API shows it, without the key (contract/proxies.md#destination_tls). */
export function shownDestinationTls(tls: DestinationTls | null): object | undefined {
  if (tls === null) return undefined;
  const { client_certificate, sealed_client_key, ca, pins } = tls;
  return {
    client_certificate: client_certificate ?? undefined,
    has_client_key: sealed_client_key !== null,
    ca: ca ?? undefined,
    pins: pins.length === 0 ? undefined : pins,
    not_after: client_certificate === null ? undefined : notAfter(client_certificate),
  };
}

function notAfter(pem: string): string | undefined {
  return readCertificates(pem)?.[0].validToDate.toISOString();
}

/**
 * The key of `present`, if both show the same certificate. Equal keys then are equal bytes, although sealing a value twice
 * gives different ones.
 */
export function keyOfSameCertificate(
  present: DestinationTls | null,
  next: Pick<DestinationTls, 'client_certificate'> | null,
): string | null {
  const [one, other] = [leafOf(present), leafOf(next)];
  return one !== undefined && one === other ? (present?.sealed_client_key ?? null) : null;
}

function leafOf(tls: Pick<DestinationTls, 'client_certificate'> | null): string | undefined {
  const pem = tls?.client_certificate;
  return pem == null ? undefined : readCertificates(pem)?.[0].fingerprint256;
}

/** The parts of a published proxy that say where requests go, and how both sides identify themselves. */
export function publishedDestination(
  url: string,
  tls: DestinationTls | null,
): { readonly destinationUrl: string; readonly destinationTls: PublishedTls | undefined } {
  if (tls === null) return { destinationUrl: url, destinationTls: undefined };
  const destinationTls = {
    destinationUrl: url,
    clientCertificate: tls.client_certificate ?? '',
    sealedClientKey: Buffer.from(tls.sealed_client_key ?? '', 'base64'),
    ca: tls.ca ?? '',
    pins: [...tls.pins],
  };
  return { destinationUrl: '', destinationTls };
}
