import type { Principal } from '@glovebox/access/principal';

/** Who calls, with what only this service asks of an application. */
export interface Caller extends Principal {
  readonly mayCreateExpiring: boolean;
}
