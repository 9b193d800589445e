import type { PageQuery } from './page.ts';

export interface Log {
  readonly id: string;
  readonly tenantId: string;
  /** The acting application; absent for the service itself. */
  readonly actorId?: string;
  readonly actorType: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly operation: string;
  readonly outcome: 'allowed' | 'denied';
  /** Why a denied operation was denied, such as `outside_scope`. */
  readonly reason?: string;
  /** Priority of the access rule that decided; absent if none did. */
  readonly rule?: number;
  /** What it was part of, such as `proxy` and its id. */
  readonly purpose?: { readonly type: string; readonly id?: string };
  /** Host and port to which a value was to be sent. */
  readonly destination?: string;
  /** The request that did it. */
  readonly traceId?: string;
  /** The IP address from which the request came. */
  readonly clientAddress?: string;
  /** The number of equal requests that the entry covers; absent if it is one. */
  readonly count?: number;
  readonly message: string;
  readonly createdAt: string;
}

export interface LogEntityType {
  readonly displayName: string;
  readonly value: string;
}

export interface LogPeriod {
  readonly startDate?: string | Date | undefined;
  readonly endDate?: string | Date | undefined;
}

export interface LogQuery extends PageQuery, LogPeriod {
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly outcome?: 'allowed' | 'denied' | undefined;
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  /** Host and port; without a port it is 443. */
  readonly destination?: string | undefined;
  readonly traceId?: string | undefined;
  /** For lists by cursor. */
  readonly start?: string | undefined;
}
