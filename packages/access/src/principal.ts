import type { ApplicationType } from './permission.ts';
import type { Grants } from './rules.ts';

/** The application that a credential belongs to: who acts, for which tenant, with which rights. */
export interface Principal {
  /** UUID. */
  readonly tenantId: string;
  /** UUID. */
  readonly applicationId: string;
  readonly applicationType: ApplicationType;
  readonly grants: Grants;
}
