import { AppError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Exchange } from '../http/exchange.ts';
import { type Caller, identifyCaller } from './authenticate.ts';

/**
 * Who calls an operation on tokens, and notes it, before a body is read.
 * @throws AppError `unauthenticated`, and `permission_denied` for a management application.
 */
export async function identifyTokenCaller(exchange: Exchange, registry: PublishedRecords): Promise<Caller> {
  const caller = await identifyCaller(exchange, registry);
  const { principal } = caller;
  exchange.notes.tenantId = principal.tenantId;
  exchange.notes.applicationId = principal.applicationId;
  if (principal.applicationType === 'management') {
    const text =
      'A management application cannot use tokens. Send the key of a private application, or of a public one.';
    throw new AppError('permission_denied', text);
  }
  exchange.stages.enter('own');
  return caller;
}
