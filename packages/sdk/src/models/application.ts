import type { Auditable, PageQuery } from './page.ts';

export type ApplicationType = 'private' | 'public' | 'management' | 'expiring';

export interface AccessRule {
  readonly description?: string | undefined;
  /** The lowest number comes first. */
  readonly priority: number;
  /** The rule applies to this container and everything below. */
  readonly container?: string | undefined;
  /** Instead of a container, for expiring applications and sessions: the rule applies to tokens that meet all conditions. */
  readonly conditions?: readonly AccessCondition[] | undefined;
  readonly transform: 'redact' | 'mask' | 'reveal';
  readonly permissions: readonly string[];
  /** Where the values of `token:use` may go: hosts such as `api.example.com` or `*.example.com`. Absent: anywhere. */
  readonly destinations?: readonly string[] | undefined;
}

export interface AccessCondition {
  /** `id` or `container`. */
  readonly attribute: string;
  /** `equals` or `starts_with`. */
  readonly operator: string;
  readonly value: string;
}

/** What may be used in any 60 minutes. Absent: any number. */
export interface UseLimits {
  /** A use is one token in one request. */
  readonly usesPerHour?: number | undefined;
  readonly distinctTokensPerHour?: number | undefined;
}

export interface Application extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly type: ApplicationType;
  /** Present only on creation. */
  readonly key?: string;
  /** Without the keys themselves. */
  readonly keys: ApplicationKey[];
  readonly permissions: string[];
  readonly rules: AccessRule[];
  /** Of private applications. */
  readonly canCreateExpiringApplications?: boolean;
  readonly limits?: UseLimits;
  /** Of expiring applications. */
  readonly expiresAt?: string;
}

export interface CreateApplication {
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions?: readonly string[] | undefined;
  readonly rules?: readonly AccessRule[] | undefined;
  /** Default: true. */
  readonly createKey?: boolean | undefined;
  /** Of private applications; default: false. */
  readonly canCreateExpiringApplications?: boolean | undefined;
  /** Not for management applications. */
  readonly limits?: UseLimits | undefined;
  /** Of expiring applications, within 24 hours; default: in a minute. */
  readonly expiresAt?: string | undefined;
}

export type UpdateApplication = Omit<CreateApplication, 'type' | 'createKey' | 'expiresAt'>;

export interface ApplicationQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  readonly type?: ApplicationType | readonly ApplicationType[] | undefined;
}

/**
 * At most one of `destination`, `proxyId` and `reactorId`, and only for `token:use`. A proxy needs `proxy:read`, a reactor
 * `reactor:read`.
 */
export interface SimulateAccessQuery {
  readonly permission: string;
  readonly container: string;
  readonly tokenId?: string | undefined;
  readonly destination?: string | undefined;
  readonly proxyId?: string | undefined;
  readonly reactorId?: string | undefined;
}

export interface SimulatedAccess {
  readonly permission: string;
  readonly container: string;
  readonly tokenId?: string;
  readonly decision: 'allowed' | 'denied';
  readonly reason?:
    | 'not_held'
    | 'outside_scope'
    | 'use_without_reveal'
    | 'unreadable_rule'
    | 'destination_not_bound'
    | 'egress_policy';
  readonly transform?: 'redact' | 'mask' | 'reveal';
  /** Absent where a plain permission decides, or nothing. */
  readonly rule?: { readonly priority: number; readonly description?: string };
  readonly reach?: { readonly anywhere: boolean; readonly destinations: string[] };
  /** Of a proxy or reactor of which a rollout serves two versions: the one that the answer is about, the stricter one. */
  readonly version?: number;
  /** Absent without a destination, and for callers without `tenant:read`. */
  readonly egress?: {
    readonly destination: string;
    readonly mode: 'off' | 'report' | 'enforce';
    readonly allowed: boolean;
    readonly reason?: 'egress_policy';
  };
  readonly rules: SimulatedRule[];
}

export interface SimulatedRule {
  readonly priority: number;
  readonly description?: string;
  readonly outcome: 'decides' | 'comes_later' | 'other_permission' | 'other_tokens' | 'other_destinations';
}

export interface ApplicationKey {
  readonly id: string;
  /** To some ten seconds; absent where it was not used within 90 days. */
  readonly lastUsedAt?: string;
  /** On average in the last hour; absent where it was not used in it. */
  readonly requestsPerMinute?: number;
  /** Unknown for the oldest keys. */
  readonly createdBy?: string;
  readonly createdAt: string;
  /** Present only on creation. */
  readonly key?: string;
}

export interface ApplicationTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly applicationType: ApplicationType;
  readonly templateType: 'starters' | 'payments' | 'banking' | 'pii' | 'management';
  readonly isStarter: boolean;
  readonly permissions?: string[];
  readonly rules?: AccessRule[];
}

export interface Permission {
  readonly type: string;
  readonly description: string;
  readonly applicationTypes: ApplicationType[];
}
