import type { Application } from './application.ts';
import type { Auditable } from './page.ts';
import type { ResponseGuard } from './proxy.ts';

export interface DeclaredSetting {
  readonly name: string;
  readonly description?: string | undefined;
  readonly type: 'string' | 'number' | 'boolean';
}

export interface RequestParameter extends DeclaredSetting {
  readonly optional?: boolean | undefined;
}

export interface ReactorFormula extends Auditable {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly name: string;
  readonly description?: string;
  readonly icon?: string;
  readonly code: string;
  readonly configuration: DeclaredSetting[];
  readonly requestParameters: RequestParameter[];
}

export interface CreateReactorFormula {
  readonly name: string;
  readonly type: 'private';
  /** Accepted and ignored. */
  readonly status?: 'verified' | 'coming_soon' | undefined;
  /** A Node.js 16 module that exports a function of `req`. */
  readonly code: string;
  readonly description?: string | undefined;
  /** A data URL. */
  readonly icon?: string | undefined;
  readonly configuration?: readonly DeclaredSetting[] | undefined;
  readonly requestParameters?: readonly RequestParameter[] | undefined;
}

export interface Reactor extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Absent if the reactor has its own code. */
  readonly formula?: ReactorFormula;
  /** Instead of a formula. */
  readonly code?: string;
  /** The keys are not converted. */
  readonly configuration: Record<string, string>;
  /** Always `active`: changes apply at once. */
  readonly state: string;
  readonly application?: Application;
  /** What happens to an answer that holds a value which the call has filled in. */
  readonly responseGuard?: ResponseGuard;
  readonly allowedDestinations?: readonly string[];
}

export interface CreateReactor {
  readonly name: string;
  readonly formula?: { readonly id: string } | undefined;
  /** Instead of a formula: a Node.js 16 module that exports a function of `req`. */
  readonly code?: string | undefined;
  /** Sent unchanged. Required with a formula. */
  readonly configuration?: Record<string, string | number | boolean | null> | undefined;
  /** Public or private; its permissions are those of `req.bt` in the code. */
  readonly application?: { readonly id: string } | null | undefined;
  /** Default: the tenant's setting, else `report`. */
  readonly responseGuard?: ResponseGuard | null | undefined;
  /** Hosts that the code may reach, such as `*.example.com`. Default: what the tenant's egress policy allows. */
  readonly allowedDestinations?: readonly string[] | null | undefined;
}

export type UpdateReactor = Omit<CreateReactor, 'formula'>;

/** Absent members stay unchanged; null removes. */
export interface PatchReactor extends Omit<Partial<UpdateReactor>, 'configuration'> {
  /** Merged entry by entry; null removes all entries. Sent unchanged. */
  readonly configuration?: Record<string, string | number | boolean | null> | null | undefined;
}

export interface ReactRequest {
  readonly args?: unknown;
  readonly callbackUrl?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The key is the service's name for it. */
export interface AsyncReactResponse {
  readonly asyncReactorRequestId: string;
}

/** The keys are not converted. */
export interface ReactResponse {
  /** Of the `tokenize` block that the code returned. */
  readonly tokens?: unknown;
  readonly raw?: unknown;
}
