import type { DestinationTls, ProxyTransform, ResponseGuard } from './proxy.ts';
import type { DeclaredSetting, RequestParameter } from './reactor.ts';

/** What a proxy, reactor or formula was. */
export interface Version<Definition> {
  /** From 1. */
  readonly version: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly comment?: string;
  /** True for a version that gets no requests; absent otherwise. */
  readonly draft?: boolean;
  readonly definition: Definition;
}

/** The version that a restore or a draft has made; without its definition if the application may not read it. */
export type RestoredVersion<Definition> = Omit<Version<Definition>, 'definition'> &
  Partial<Pick<Version<Definition>, 'definition'>>;

/** What differs between two versions of a resource. */
export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  /** In the order of their paths' names; empty if nothing differs. */
  readonly differences: readonly VersionDifference[];
}

/** One member that differs. */
export interface VersionDifference {
  /** Such as `destinationUrl`, `requestTransforms[0].code` or `configuration.API_KEY`. */
  readonly path: string;
  /** `unknown` only of a configuration, whose values are never shown: of versions that do not follow each other. */
  readonly change: 'added' | 'removed' | 'changed' | 'unknown';
  /** Absent if the member is new, and always of a configuration. */
  readonly before?: unknown;
  /** Absent if the member is gone, and always of a configuration. */
  readonly after?: unknown;
}

/** The values of a configuration, which are not shown; the keys are not converted. */
export type SettingMarks = Record<string, { readonly changed: boolean }>;

export interface ProxyDefinition {
  readonly name: string;
  readonly destinationUrl: string;
  readonly destinationTls?: DestinationTls;
  readonly requestTransform?: ProxyTransform;
  readonly responseTransform?: ProxyTransform;
  readonly requestTransforms?: readonly ProxyTransform[];
  readonly responseTransforms?: readonly ProxyTransform[];
  readonly configuration?: SettingMarks;
  readonly applicationId?: string;
  readonly requireAuth: boolean;
  /** Present only if true. */
  readonly disableDetokenization?: boolean;
  readonly timeout?: number;
  readonly responseGuard?: ResponseGuard;
  readonly allowedDestinations?: readonly string[];
}

export interface ReactorDefinition {
  readonly name: string;
  /** Absent if the reactor has its own code. */
  readonly formula?: { readonly id: string };
  readonly code?: string;
  readonly configuration: SettingMarks;
  readonly application?: { readonly id: string };
  readonly responseGuard?: ResponseGuard;
  readonly allowedDestinations?: readonly string[];
}

export interface ReactorFormulaDefinition {
  readonly type: 'private';
  readonly name: string;
  readonly description?: string;
  readonly icon?: string;
  readonly code: string;
  readonly configuration: DeclaredSetting[];
  readonly requestParameters: RequestParameter[];
}
