import type { Auditable, PageQuery } from './page.ts';

export type ApplicationType = 'private' | 'public' | 'management';

export interface AccessRule {
  readonly description?: string | undefined;
  /** The smallest comes first. */
  readonly priority: number;
  /** Either a container or conditions. */
  readonly container?: string | undefined;
  readonly conditions?: readonly AccessCondition[] | undefined;
  readonly transform: 'redact' | 'mask' | 'reveal';
  readonly permissions: readonly string[];
}

export interface AccessCondition {
  readonly attribute: string;
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
  readonly permissions?: string[];
  readonly rules?: AccessRule[];
}

export interface CreateApplication {
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions?: readonly string[] | undefined;
  readonly rules?: readonly AccessRule[] | undefined;
  /** Default: true. */
  readonly createKey?: boolean | undefined;
}

export type UpdateApplication = Pick<CreateApplication, 'name' | 'permissions' | 'rules'>;

export interface ApplicationQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  readonly type?: ApplicationType | readonly ApplicationType[] | undefined;
}

export interface ApplicationKey extends Pick<Auditable, 'createdBy' | 'createdAt'> {
  readonly id: string;
  /** Only when it has just been made. */
  readonly key?: string;
}

export interface ApplicationTemplate {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly applicationType: ApplicationType;
  readonly permissions?: string[];
  readonly rules?: AccessRule[];
}

export interface Permission {
  readonly type: string;
  readonly description: string;
  readonly applicationTypes?: ApplicationType[];
}
