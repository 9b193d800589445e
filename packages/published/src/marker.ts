import type { PublicKeys } from './public-keys.ts';
import { signText, verifyText } from './signed-text.ts';
import type { SigningKeyProvider } from './signing-key.ts';

/**
 * The marker says that the projection is whole, whose it is, and how far it goes. Readers that do not find it take
 * Redis for unavailable rather than empty: a flushed server must not turn every key into an unknown one. The
 * publisher compares it with its own database and rebuilds the projection when it is missing, foreign or behind.
 */
export interface Marker {
  /** Id of the control database that publishes here. */
  readonly installationId: string;
  /** The last outbox entry that the projection holds. */
  readonly lastEntry: number;
}

/** What readers go by. Its signature is made anew every few seconds, so that its age says how old what it vouches for may be. */
export interface SignedMarker extends Marker {
  /** Of the latest signature; no earlier marker has a larger one. */
  readonly sequence: number;
  /** Every record was signed with this sequence or a larger one: any other is a superseded one that came back. */
  readonly floor: number;
  /** The last outbox entry when the floor was raised. */
  readonly floorEntry: number;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

/** Releases without signatures read this form. */
export function encodeMarker(marker: Marker): string {
  return `${marker.installationId} ${marker.lastEntry}`;
}

export function decodeMarker(text: string | null): Marker | undefined {
  const match = /^([0-9a-f-]{36}) (\d{1,16})$/.exec(text ?? '');
  if (match === null) return undefined;
  return { installationId: match[1]!, lastEntry: Number(match[2]) };
}

export function signMarker(
  provider: SigningKeyProvider,
  key: string,
  { installationId, lastEntry, sequence, floor, floorEntry, signedAt }: SignedMarker,
): Promise<string> {
  const text = [installationId, lastEntry, sequence, floor, floorEntry, signedAt].join(' ');
  return signText(provider, 'marker', key, text);
}

/** Undefined for one that none of the keys has signed. */
export async function verifyMarker(
  keys: PublicKeys,
  key: string,
  stored: string,
): Promise<SignedMarker | undefined> {
  const text = await verifyText(keys, 'marker', key, stored);
  const [installationId, ...numbers] = text?.split(' ') ?? [];
  if (installationId === undefined || numbers.length !== 5) return undefined;
  const [lastEntry, sequence, floor, floorEntry, signedAt] = numbers.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { installationId, lastEntry, sequence, floor, floorEntry, signedAt };
}

export function isOlder(marker: SignedMarker, than: SignedMarker): boolean {
  return marker.sequence === than.sequence
    ? marker.signedAt < than.signedAt
    : marker.sequence < than.sequence;
}
