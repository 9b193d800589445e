import type { Postgres } from '@glovebox/platform/db/postgres';

import type { InputLimits } from '../input-limits.ts';
import type { Changes } from '../outbox/changes.ts';
import type { ExpiringLimits } from './expiring-limits.ts';

export interface ApplicationDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly inputLimits: InputLimits;
  readonly expiring: ExpiringLimits;
}
