import type { HolderType } from './permission.ts';
import type { Grants } from './rules.ts';
import type { UseLimits } from './use-limits.ts';

/** The application or session that a credential belongs to: who acts, for which tenant, with which rights. */
export interface Principal {
  /** UUID. */
  readonly tenantId: string;
  /** UUID; a session has one of its own. */
  readonly applicationId: string;
  readonly applicationType: HolderType;
  /** A member of the tenant, who is signed in: `applicationId` is the user's, and the type `management`. */
  readonly isPerson?: true;
  readonly grants: Grants;
  /** Absent: it may use any number of tokens. */
  readonly useLimits?: readonly UseLimits[];
}
