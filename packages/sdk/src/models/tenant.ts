import type { Auditable, PageQuery } from './page.ts';

export interface Tenant extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ownerId: string;
  /** Values are text, `'true'` and `'false'` included. */
  readonly settings: Record<string, string>;
}

export interface UpdateTenant {
  readonly name: string;
  readonly settings?: Record<string, string> | undefined;
}

/** Where requests on behalf of the tenant may go. */
export interface EgressPolicy {
  readonly mode: 'off' | 'report' | 'enforce';
  /** Hosts, such as `*.example.com`. */
  readonly destinations: readonly string[];
  /** Whether ephemeral proxies may be used. */
  readonly ephemeral: boolean;
}

export interface UpdateEgressPolicy {
  readonly mode: EgressPolicy['mode'];
  /** Default: none. */
  readonly destinations?: readonly string[] | null | undefined;
  /** Default: true. */
  readonly ephemeral?: boolean | null | undefined;
}

export interface TenantInvitation extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
  /** Of the member that it makes. */
  readonly role: TenantRole;
  readonly status: string;
  readonly expiresAt: string;
}

export interface InvitationQuery extends PageQuery {
  readonly status?: string | undefined;
}

export type TenantRole = 'OWNER' | 'ADMIN' | 'DEVELOPER' | 'AUDITOR' | 'VIEWER';

export interface Role {
  readonly role: TenantRole;
  readonly description: string;
  readonly permissions: readonly string[];
  /** What it shows of the data of tokens in the console; absent: no tokens. */
  readonly tokenTransform?: 'redact' | 'mask' | 'reveal' | undefined;
}

export interface TenantMember extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly role: TenantRole;
  readonly user: {
    readonly id: string;
    readonly email?: string;
    readonly firstName?: string;
    readonly lastName?: string;
  };
}

export interface UsageReport {
  readonly totalTokens: number;
  readonly tokenReport: {
    /** By token type, whose underscores are converted too. */
    readonly metricsByType: Record<string, { readonly count: number; readonly lastCreatedAt: string }>;
    readonly totalTokens: number;
    readonly includedMonthlyActiveTokens: number;
    readonly monthlyActiveTokens: number;
    readonly monthlyActiveTokenHistory: {
      readonly year: number;
      readonly month: number;
      readonly count: number;
    }[];
  };
}

/** Nothing of the keys themselves. */
export interface EncryptionKeysReport {
  /** Latest first. */
  readonly dataKeys: EncryptionKey[];
  readonly indexKeys: EncryptionKey[];
  readonly mostSeals: number;
  /** Absent: nothing is being sealed anew. */
  readonly dataKeyRotation?: { readonly version: number } | undefined;
  readonly indexKeyRotation?:
    | { readonly version: number; readonly phase: 'announced' | 'writing'; readonly remade: number }
    | undefined;
}

export interface EncryptionKey {
  readonly version: number;
  readonly current: boolean;
  readonly createdAt: string;
  readonly seals?: number | undefined;
}

/** Steps without traffic are absent. */
export interface TrafficReport {
  readonly startDate: string;
  readonly endDate: string;
  readonly stepSeconds: number;
  readonly totals: TrafficFigures;
  /** In order. */
  readonly points: (TrafficFigures & { readonly at: string })[];
  readonly publicationLagSeconds: number;
}

export interface TrafficFigures {
  readonly requests: number;
  readonly errors: number;
  readonly refused: number;
  readonly killed: number;
  readonly leaks: number;
  /** Absent without requests. */
  readonly p50Ms?: number | undefined;
  readonly p99Ms?: number | undefined;
}

/** Counts of log entries. */
export interface OperationsReport {
  readonly startDate: string;
  readonly endDate: string;
  readonly totalOperations: number;
  /** Latest first. */
  readonly months: {
    readonly year: number;
    readonly month: number;
    readonly totalOperations: number;
    readonly operations: OperationCount[];
  }[];
}

export interface OperationCount {
  readonly entityType: string;
  readonly operation: string;
  /** The purpose of the operation, such as `proxy`. */
  readonly purpose?: string;
  readonly count: number;
}

export interface MemberQuery extends PageQuery {
  readonly userId?: string | readonly string[] | undefined;
}
