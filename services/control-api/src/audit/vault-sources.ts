import type { LogEntry, LogFilter, Place } from './log-entry.ts';

/** What keeps the log of tokens and sessions: the vault. This service learns ids, and nothing of any token. */
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

/** What is counted of a tenant's tokens. */
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

/** How often something was done in a month of UTC, as the log tells it. */
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

/** What counts tokens: the vault. This service learns numbers, and nothing of any token. */
export interface UsageSource {
  /** @throws AppError `unavailable` */
  usageOf(tenantId: string, correlationId: string): Promise<Usage>;
  /** Of the last twelve months. @throws AppError `unavailable` */
  operationsOf(tenantId: string, correlationId: string): Promise<readonly OperationCount[]>;
}
