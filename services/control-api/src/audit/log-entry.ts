/** The log that an entry comes from. Of two entries with the same time, the one of this service counts as newer. */
export const sources = ['control', 'vault'] as const;
export type Source = (typeof sources)[number];

/** A place in the order of all logs, newest first. */
export interface Place {
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly source: Source;
  /** In its source; 0 is behind everything of that moment there. */
  readonly id: number;
}

/** Whether something was done, or refused. */
export const outcomes = ['allowed', 'denied'] as const;
export type Outcome = (typeof outcomes)[number];

export interface LogEntry extends Place {
  /** Absent: an actor without a key. */
  readonly actorId: string | undefined;
  readonly actorType: 'application' | 'session' | 'user' | 'system';
  readonly entityType: string;
  readonly entityId: string;
  readonly operation: string;
  readonly outcome: Outcome;
  /** Of a refusal, e.g. `outside_scope`; else what was said of it. */
  readonly reason?: string | undefined;
  /** The operation that it was part of, e.g. `proxy`. */
  readonly purpose?: string;
  readonly purposeId?: string;
  /** The priority of the access rule that decided. */
  readonly rule?: number | undefined;
  /** Where a value was to be sent, as `host:port`. */
  readonly destination?: string | undefined;
  /** Correlation id of the request. */
  readonly traceId?: string | undefined;
  /** Where the request came from, as the edge saw it. */
  readonly clientAddress?: string | undefined;
  /** The number of equal requests that it covers; absent: one. */
  readonly count?: number | undefined;
}

/** Which events are wanted. Times are microseconds since the epoch. */
export interface LogFilter {
  readonly tenantId: string;
  readonly entityType: string | undefined;
  readonly entityId: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  /** `host:port`. */
  readonly destination?: string | undefined;
  readonly traceId?: string | undefined;
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Less than 0 when `a` comes first. */
export function compare(a: Place, b: Place): number {
  return b.at - a.at || sources.indexOf(a.source) - sources.indexOf(b.source) || b.id - a.id;
}

/** Where a source continues after a place that may belong to the other source. */
export function behind({ at, source, id }: Place, of: Source): Omit<Place, 'source'> {
  if (source === of) return { at, id };
  // Either every entry of that moment follows, or none does.
  return { at, id: source === 'control' ? Number.MAX_SAFE_INTEGER : 0 };
}
