import type { LogEntry, LogFilter, Place } from './log-entry.ts';

/** The vault's log of tokens and sessions. This service learns ids and no token data. */
export interface AuditSource {
  /** At most a thousand, behind a place, newest first. @throws AppError `unavailable` */
  list(
    filter: LogFilter,
    after: Omit<Place, 'source'>,
    limit: number,
    correlationId: string,
  ): Promise<readonly LogEntry[]>;
  /** @throws AppError `unavailable` */
  count(filter: LogFilter, correlationId: string): Promise<number>;
}

/** Counts of a tenant's tokens. */
export interface Usage {
  readonly types: readonly TypeUsage[];
  /** Months in which tokens were active, the latest first. */
  readonly months: readonly MonthUsage[];
}

export interface TypeUsage {
  readonly type: string;
  readonly count: number;
  readonly lastCreatedAt: Date;
}

/** In UTC. */
export interface MonthUsage {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly activeTokens: number;
}

/** How often an operation was done in a month of UTC. */
export interface OperationCount {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly entityType: string;
  readonly operation: string;
  /** Empty where there is none. */
  readonly purpose: string;
  readonly count: number;
}

/** The vault's counts. This service learns numbers and no token data. */
export interface UsageSource {
  /** @throws AppError `unavailable` */
  usageOf(tenantId: string, correlationId: string): Promise<Usage>;
  /** Of the last twelve months. @throws AppError `unavailable` */
  operationsOf(tenantId: string, correlationId: string): Promise<readonly OperationCount[]>;
}
