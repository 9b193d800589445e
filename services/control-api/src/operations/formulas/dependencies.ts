import type { Postgres } from '@glovebox/platform/db/postgres';

import type { Compiler } from '../../code/compiler.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import type { Changes } from '../../publication/changes.ts';

export interface FormulaDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly compiler: Compiler;
  readonly inputLimits: InputLimits;
}
