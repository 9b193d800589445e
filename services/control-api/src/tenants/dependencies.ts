import type { Postgres } from '@glovebox/platform/db/postgres';

import type { InputLimits } from '../input-limits.ts';
import type { Changes } from '../outbox/changes.ts';

export interface TenantDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly inputLimits: InputLimits;
}
