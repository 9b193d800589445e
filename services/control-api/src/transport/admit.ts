import type { IncomingHttpHeaders } from 'node:http';

import { hashKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import type { RateLimits } from '@glovebox/platform/db/rate-limits';

import { ownHeader } from './headers.ts';

export type ManagementLimits = RateLimits<'key' | 'tenant'>;

/** @throws AppError `rate_limited` */
export async function admit(
  limits: ManagementLimits | undefined,
  headers: IncomingHttpHeaders,
  { tenantId }: Principal,
): Promise<void> {
  if (limits === undefined) return;
  await limits.admit('key', hashKey(ownHeader(headers, 'api-key') ?? ''));
  await limits.admit('tenant', tenantId);
}
