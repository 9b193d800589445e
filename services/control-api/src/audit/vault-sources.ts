import type { ChainedLine } from '@glovebox/platform/signed-log/chain';

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

/** The content of a checkpoint of an export, and its position. */
export interface ExportState {
  readonly tenantId: string;
  readonly exportId: string;
  /** ISO 8601; the first is inclusive, the second exclusive. */
  readonly from: string;
  readonly to: string;
  /** The number of the checkpoint's line. */
  readonly line: number;
  /** How many entries come before it. */
  readonly entries: number;
  readonly final: boolean;
  /** The digest of the line before. */
  readonly previous: Uint8Array;
}

/** A public key of the exports' signatures. */
export interface AuditKey {
  readonly fingerprint: string;
  /** Ed25519: 32 bytes in base64url. */
  readonly publicKey: string;
  readonly createdAt: Date;
}

/** The vault's signatures under exports. */
export interface ExportSigner {
  /** @throws AppError `unavailable` */
  checkpoint(state: ExportState, correlationId: string): Promise<ChainedLine>;
  /** The newest first. @throws AppError `unavailable` */
  publicKeys(correlationId: string): Promise<readonly AuditKey[]>;
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

export interface EncryptionKey {
  readonly version: number;
  readonly createdAt: Date;
  /** How many values it may have sealed; undefined: an index key, or from before seals were counted. */
  readonly seals: number | undefined;
}

/** Ages and counts of a tenant's keys, the newest first. */
export interface KeyReport {
  readonly dataKeys: readonly EncryptionKey[];
  readonly indexKeys: readonly EncryptionKey[];
  readonly mostSeals: number;
  readonly dataRotation: number | undefined;
  readonly indexRotation:
    | { readonly version: number; readonly phase: string; readonly remade: number }
    | undefined;
}

/** The requests of a step in time. */
export interface TrafficPoint {
  readonly at: Date;
  readonly requests: number;
  /** Answered with a status from 500 on. */
  readonly errors: number;
  /** By a rule, a limit or a policy. */
  readonly refused: number;
  /** Runs of code that were ended. */
  readonly killed: number;
  readonly leaks: number;
  /** How many took how long (platform's duration-classes.ts). */
  readonly durations: readonly number[];
}

/** The vault's counts. This service learns numbers and no token data. */
export interface UsageSource {
  /** @throws AppError `unavailable` */
  usageOf(tenantId: string, correlationId: string): Promise<Usage>;
  /** Of the last twelve months. @throws AppError `unavailable` */
  operationsOf(tenantId: string, correlationId: string): Promise<readonly OperationCount[]>;
  /** @throws AppError `unavailable` */
  keysOf(tenantId: string, correlationId: string): Promise<KeyReport>;
  /** In order; steps without traffic are absent. @throws AppError `unavailable` */
  trafficOf(
    tenantId: string,
    stepSeconds: 300 | 3600,
    from: Date,
    correlationId: string,
  ): Promise<readonly TrafficPoint[]>;
}
