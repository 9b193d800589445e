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
  readonly message: string;
  readonly createdAt: string;
}

export interface LogEntityType {
  readonly displayName: string;
  readonly value: string;
}

export interface LogQuery extends PageQuery {
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly outcome?: 'allowed' | 'denied' | undefined;
  readonly startDate?: string | Date | undefined;
  readonly endDate?: string | Date | undefined;
  /** For lists by cursor. */
  readonly start?: string | undefined;
}
