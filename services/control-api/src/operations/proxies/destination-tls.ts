import { type KeyObject, createPrivateKey } from 'node:crypto';

import { createClientContext } from '@glovebox/egress/client-context';
import { readCertificates } from '@glovebox/egress/read-certificates';

import type { Problems } from '../../http/shape.ts';
import { type DestinationTls, clientKeyField, keyOfSameCertificate } from '../../proxies/destination-tls.ts';
import type { ProxyRow } from '../../proxies/fields.ts';
import { type Owner, type Sealer, placeOf } from '../../secrets/sealer.ts';
import type { SentDestinationTls } from './destination-tls-shape.ts';

/** What a request makes of the `destination_tls` of a proxy. */
export interface TlsChange {
  readonly sent: SentDestinationTls;
  /** It is merged with what there is (RFC 7396); otherwise it replaces that, but for the key of the same certificate. */
  readonly isPatch: boolean;
}

type Shown = Omit<DestinationTls, 'sealed_client_key'>;

const none: Shown = { client_certificate: null, ca: null, pins: [] };

/** Without the key. */
function merged(current: DestinationTls | null, { sent, isPatch }: TlsChange): Shown {
  const base = (isPatch ? current : null) ?? none;
  if (sent === undefined) return base;
  const { client_certificate, ca, pins } = sent ?? { client_certificate: null, ca: null, pins: null };
  return {
    client_certificate: client_certificate === undefined ? base.client_certificate : client_certificate,
    ca: ca === undefined ? base.ca : ca,
    pins: pins === undefined ? base.pins : (pins ?? []),
  };
}

/** @param sealedKey the sealed form of the key that was sent */
export function tlsAfter(
  current: DestinationTls | null,
  change: TlsChange,
  sealedKey: string | null,
): DestinationTls | null {
  const { client_certificate, ca, pins } = merged(current, change);
  if (client_certificate === null && ca === null && pins.length === 0) return null;
  const key = keyOfSameCertificate(current, { client_certificate }) ?? sealedKey;
  const sealed_client_key = client_certificate === null ? null : key;
  return { client_certificate, sealed_client_key, ca, pins };
}

/** What is wrong with it beside what there is. @param destinationUrl after the request */
export function tlsProblems(
  current: ProxyRow['destination_tls'],
  change: TlsChange,
  destinationUrl: string,
): Problems {
  const next = merged(current, change);
  const key = change.sent?.client_key ?? null;
  if (key === null && isEmpty(next)) return {};
  if (!/^https:/i.test(destinationUrl)) {
    return { destination_tls: ['needs a destination_url that begins with https://'] };
  }
  return key === null ? missingKey(current, next) : keyProblems(key, next.client_certificate);
}

function isEmpty({ client_certificate, ca, pins }: Shown): boolean {
  return client_certificate === null && ca === null && pins.length === 0;
}

function missingKey(current: DestinationTls | null, next: Shown): Problems {
  if (next.client_certificate === null || keyOfSameCertificate(current, next) !== null) return {};
  return { [clientKeyField]: ['is required with a new client_certificate'] };
}

function keyProblems(text: string, certificate: string | null): Problems {
  const key = readKey(text);
  if (typeof key === 'string') return { [clientKeyField]: [key] };
  if (certificate === null) return { 'destination_tls.client_certificate': ['is required with client_key'] };
  if (readCertificates(certificate)?.[0].checkPrivateKey(key) !== true) {
    return { [clientKeyField]: ['must be the private key of client_certificate'] };
  }
  try {
    createClientContext([], { cert: [certificate], key: [text] });
    return {};
  } catch {
    return {
      'destination_tls.client_certificate': [
        'cannot be used for TLS: its key is too weak or of an unknown kind',
      ],
    };
  }
}

/** @returns what is wrong with it, as text */
function readKey(text: string): KeyObject | string {
  if (text.includes('ENCRYPTED')) return 'must not be encrypted';
  try {
    const key = createPrivateKey(text);
    return isSwift(key) ? key : 'must be a key of RSA with at most 4096 bits, of EC or of EdDSA';
  } catch {
    return 'must be a private key in PEM';
  }
}

const swiftKinds: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448']);

/** The gateway signs each handshake on its event loop. With a longer key it would keep all other tenants waiting. */
function isSwift({
  asymmetricKeyType,
  asymmetricKeyDetails: { modulusLength = 0 } = {},
}: KeyObject): boolean {
  return swiftKinds.has(asymmetricKeyType) && modulusLength <= 4096;
}

/** In base64; null if none was sent. */
export async function sealClientKey(
  sealer: Sealer,
  owner: Owner,
  { sent }: TlsChange,
  correlationId: string,
): Promise<string | null> {
  const plaintext = sent?.client_key;
  if (plaintext == null) return null;
  const [sealed] = await sealer.seal([{ place: placeOf(owner, clientKeyField), plaintext }], correlationId);
  return sealed!.toString('base64');
}
