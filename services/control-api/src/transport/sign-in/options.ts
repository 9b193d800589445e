import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { Request, Response } from 'express';

import type { AuditEvent } from '../../audit/audit-event.ts';
import type { IdentityProvider } from '../../identity/provider.ts';
import type { RoleGrant } from '../../identity/roles-table.ts';
import type { SessionClient } from '../../people/sessions.ts';
import { trailOf } from '../observe.ts';
import type { ReadJson } from '../read-json.ts';

export interface SignInOptions {
  readonly postgres: TenantDatabase;
  readonly readJson: ReadJson;
  readonly logger: Logger;
  /** Undefined: this way to sign in is turned off. */
  readonly provider: IdentityProvider | undefined;
  readonly grants: readonly RoleGrant[];
  /** Whether holders of management keys may sign in. */
  readonly withKeys: boolean;
  /** Where browsers reach the console, without a slash at its end. */
  readonly consoleUrl: string;
}

export type SignInHandler = (options: SignInOptions, request: Request, response: Response) => Promise<void>;

/** Of a request: for the log, and for the session that begins with it. */
export function originOf(request: Request): Pick<AuditEvent, 'correlationId'> & SessionClient {
  const { correlationId, clientAddress } = trailOf(request);
  return { correlationId, clientAddress, userAgent: request.get('user-agent') };
}
