import type { Auditable, PageQuery } from './page.ts';

export type ApplicationType = 'private' | 'public' | 'management' | 'expiring';

export interface AccessRule {
  readonly description?: string | undefined;
  /** The smallest comes first. */
  readonly priority: number;
  /** Holds for it and everything below. */
  readonly container?: string | undefined;
  /** In place of a container, of expiring applications and sessions only: holds for the tokens that meet all of them. */
  readonly conditions?: readonly AccessCondition[] | undefined;
  readonly transform: 'redact' | 'mask' | 'reveal';
  readonly permissions: readonly string[];
}

export interface AccessCondition {
  /** `id` or `container`. */
  readonly attribute: string;
  /** `equals` or `starts_with`. */
  readonly operator: string;
  readonly value: string;
}

export interface Application extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly type: ApplicationType;
  /** Only when it has just been made. */
  readonly key?: string;
  /** Without their text. */
  readonly keys: ApplicationKey[];
  readonly permissions: string[];
  readonly rules: AccessRule[];
  /** Of private ones. */
  readonly canCreateExpiringApplications?: boolean;
  /** Of expiring ones. */
  readonly expiresAt?: string;
}

export interface CreateApplication {
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions?: readonly string[] | undefined;
  readonly rules?: readonly AccessRule[] | undefined;
  /** Default: true. */
  readonly createKey?: boolean | undefined;
  /** Of private ones; default: false. */
  readonly canCreateExpiringApplications?: boolean | undefined;
  /** Of expiring ones, within 24 hours; default: in a minute. */
  readonly expiresAt?: string | undefined;
}

export type UpdateApplication = Omit<CreateApplication, 'type' | 'createKey' | 'expiresAt'>;

export interface ApplicationQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  readonly type?: ApplicationType | readonly ApplicationType[] | undefined;
}

export interface ApplicationKey {
  readonly id: string;
  /** Not known of the oldest ones. */
  readonly createdBy?: string;
  readonly createdAt: string;
  /** Only when it has just been made. */
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
