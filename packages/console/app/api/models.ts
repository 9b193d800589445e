/** Resources as the API shows them (docs/openapi.yaml), as far as screens need them. */

export interface Auditable {
  readonly created_by?: string;
  readonly created_at?: string;
  readonly modified_by?: string;
  readonly modified_at?: string;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly total_items?: number;
    readonly page_number?: number;
    readonly page_size: number;
    readonly total_pages?: number;
    readonly next?: string;
  };
}

export interface Session {
  readonly sign_in: { readonly openid_connect: boolean; readonly management_key: boolean };
  readonly session?: SignedIn;
}

export interface SignedIn {
  readonly tenant: Tenant;
  readonly tenants: readonly Tenant[];
  readonly permissions: readonly string[];
  readonly expires_at: string;
  readonly role?: string;
  /** What the role shows of tokens; `reveal`: masked, and in plain when the person says why. */
  readonly token_transform?: 'redact' | 'mask' | 'reveal';
  readonly created_at: string;
  readonly user?: {
    readonly id: string;
    readonly email?: string;
    readonly first_name?: string;
    readonly last_name?: string;
  };
  readonly application?: { readonly id: string; readonly name?: string };
}

/** Where the person is signed in (docs/contract/people.md#your-sessions). */
export interface OwnSession {
  readonly id: string;
  /** The one of this page. */
  readonly current: boolean;
  readonly tenant: Tenant;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly client_address?: string;
  readonly user_agent?: string;
}

export interface Tenant {
  readonly id: string;
  readonly name: string;
}

export interface Transform {
  readonly type?: string;
  readonly code?: string;
  readonly [member: string]: unknown;
}

export interface Proxy extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly require_auth?: boolean;
  readonly request_transform?: Transform;
  readonly response_transform?: Transform;
  readonly request_transforms?: readonly Transform[];
  readonly response_transforms?: readonly Transform[];
  readonly configuration?: Readonly<Record<string, string>>;
  readonly application_id?: string;
  readonly state?: string;
  readonly [member: string]: unknown;
}

export interface Formula extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly type: string;
  readonly code?: string;
  readonly [member: string]: unknown;
}

export interface Reactor extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly formula?: { readonly id: string; readonly name?: string };
  /** In place of a formula. */
  readonly code?: string;
  readonly application?: { readonly id: string };
  readonly [member: string]: unknown;
}

export interface Rule {
  readonly description?: string;
  readonly priority: number;
  readonly container?: string;
  readonly conditions?: readonly {
    readonly attribute: string;
    readonly operator: string;
    readonly value: string;
  }[];
  readonly transform: View;
  readonly permissions: readonly string[];
  readonly destinations?: readonly string[];
}

/** How the data of tokens is shown. */
export type View = 'reveal' | 'mask' | 'redact';

/** Whether the keys of an application may do something, and by which rule. */
export interface SimulatedAccess {
  readonly decision: 'allowed' | 'denied';
  readonly reason?:
    | 'not_held'
    | 'outside_scope'
    | 'use_without_reveal'
    | 'unreadable_rule'
    | 'destination_not_bound'
    | 'egress_policy';
  readonly transform?: View;
  readonly rule?: { readonly priority: number };
  readonly egress?: { readonly allowed: boolean; readonly reason?: string };
  readonly rules: readonly {
    readonly priority: number;
    readonly outcome: 'decides' | 'comes_later' | 'other_permission' | 'other_tokens' | 'other_destinations';
  }[];
}

export interface ApplicationKey {
  readonly id: string;
  readonly key?: string;
  readonly created_at: string;
  readonly last_used_at?: string;
  /** On average in the last hour. */
  readonly requests_per_minute?: number;
}

export interface Application extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly key?: string;
  readonly permissions?: readonly string[];
  readonly rules?: readonly Rule[];
  readonly keys?: readonly ApplicationKey[];
  readonly expires_at?: string;
}

export interface Webhook extends Auditable {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly status: string;
  readonly events: readonly string[];
}

/** An event for a webhook, and what became of it. */
export interface Delivery {
  readonly id: string;
  readonly event_type: string;
  readonly created_at: string;
  readonly state: 'waiting' | 'delivered' | 'retrying' | 'failed';
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status?: number;
  readonly error?: string;
}

export interface Member extends Auditable {
  readonly id: string;
  readonly role: string;
  readonly user: {
    readonly id: string;
    readonly email?: string;
    readonly first_name?: string;
    readonly last_name?: string;
  };
}

export interface Invitation extends Auditable {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly expires_at: string;
}

export interface Role {
  readonly role: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

export interface Token extends Auditable {
  readonly id: string;
  readonly type: string;
  readonly containers: readonly string[];
  /** As far as the role shows it. */
  readonly data?: unknown;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fingerprint_expression?: string;
  readonly search_indexes?: readonly string[];
  readonly mask?: unknown;
  readonly expires_at?: string;
}

export interface LogEntry {
  readonly id: string;
  readonly actor_id?: string;
  readonly actor_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly operation: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly rule?: number;
  readonly purpose?: { readonly type: string; readonly id?: string };
  readonly destination?: string;
  readonly trace_id?: string;
  readonly client_address?: string;
  readonly count?: number;
  readonly message: string;
  readonly created_at: string;
}

export interface Version {
  readonly version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly comment?: string;
  /** Nobody is sent to it, and it never was the present one. */
  readonly draft?: true;
  readonly definition?: Readonly<Record<string, unknown>>;
}

/** The rollout of a proxy or reactor (docs/contract/rollouts.md). */
export interface Rollout {
  readonly version: number;
  readonly percent: number;
  readonly mode: 'live' | 'shadow';
  readonly by: string;
  readonly stop_when?: { readonly error_rate: number; readonly min_requests: number };
  readonly state: 'running' | 'stopped' | 'completed';
  readonly reason?: 'error_rate';
  readonly versions: readonly VersionFigures[];
  readonly shadow?: {
    readonly compared: number;
    readonly equal: number;
    readonly skipped: number;
    readonly differences: readonly {
      readonly path: string;
      readonly kind: 'added' | 'removed' | 'type' | 'value' | 'answered' | 'failed' | 'other';
      readonly count: number;
    }[];
  };
  readonly created_at: string;
}

export interface VersionFigures {
  readonly version: number;
  readonly requests: number;
  readonly errors: number;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
}

export interface EgressPolicy {
  readonly mode: 'off' | 'report' | 'enforce';
  readonly destinations: readonly string[];
  readonly ephemeral: boolean;
}
