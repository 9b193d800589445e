import type { Postgres } from '@glovebox/platform/db/postgres';

import type { InputLimits } from '../../limits/input-limits.ts';
import type { Changes } from '../../publication/changes.ts';

export interface TenantDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly inputLimits: InputLimits;
}
