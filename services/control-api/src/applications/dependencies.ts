import type { Postgres } from '@glovebox/platform/postgres';

import type { Changes } from '../outbox/changes.ts';
import type { ExpiringLimits } from './expiring-limits.ts';

export interface ApplicationDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly expiring: ExpiringLimits;
}
