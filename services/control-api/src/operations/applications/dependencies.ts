import type { Postgres } from '@glovebox/platform/db/postgres';

import type { ExpiringLimits } from '../../limits/expiring-limits.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import type { Changes } from '../../publication/changes.ts';

export interface ApplicationDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly inputLimits: InputLimits;
  readonly expiring: ExpiringLimits;
}
