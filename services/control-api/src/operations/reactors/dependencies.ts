import type { Postgres } from '@glovebox/platform/db/postgres';

import type { Compiler } from '../../code/compiler.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import type { Changes } from '../../publication/changes.ts';
import type { Sealer } from '../../secrets/sealer.ts';

export interface ReactorDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly sealer: Sealer;
  readonly compiler: Compiler;
  readonly inputLimits: InputLimits;
}
