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

export function encodeMarker(marker: Marker): string {
  return `${marker.installationId} ${marker.lastEntry}`;
}

export function decodeMarker(text: string | null): Marker | undefined {
  const match = /^([0-9a-f-]{36}) (\d{1,16})$/.exec(text ?? '');
  if (match === null) return undefined;
  return { installationId: match[1]!, lastEntry: Number(match[2]) };
}
