import type { Postgres } from '@glovebox/platform/db/postgres';

import type { Compiler } from '../code/compiler.ts';
import type { InputLimits } from '../input-limits.ts';
import type { Changes } from '../outbox/changes.ts';

export interface FormulaDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly compiler: Compiler;
  readonly inputLimits: InputLimits;
}
