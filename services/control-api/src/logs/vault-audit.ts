import { AppError, toAppError } from '@glovebox/platform/errors';
import type { GrpcChannel } from '@glovebox/platform/grpc-client';
import { context, traceparentOf } from '@glovebox/platform/tracing';
import {
  type AuditEvent,
  type ListAuditRequest,
  type ListAuditResponse,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { AuditSource } from './audit-source.ts';
import type { LogEvent, LogFilter } from './log-event.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultAudit(channel: GrpcChannel): AuditSource {
  const ask = (
    filter: LogFilter,
    more: Pick<ListAuditRequest, 'after' | 'limit' | 'count'>,
    correlationId: string,
  ): Promise<ListAuditResponse> => {
    const { tenantId, entityType = '', entityId = '', from: fromMicros, to: toMicros } = filter;
    const request = { tenantId, entityType, entityId, fromMicros, toMicros, ...more };
    const traceparent = traceparentOf(context.active());
    const options = {
      deadline: Date.now() + callTimeoutMs,
      safe: true,
      correlationId,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    return channel.unary(VaultServiceService.listAudit, request, options).catch(refuse);
  };
  return {
    async list(filter, { at, id }, limit, correlationId) {
      const after = { atMicros: at, id };
      return (await ask(filter, { after, limit, count: false }, correlationId)).events.map(logEvent);
    },
    async count(filter, correlationId) {
      return (await ask(filter, { after: undefined, limit: 0, count: true }, correlationId)).total;
    },
  };
}

function logEvent({ place, actorId, actorType, ...event }: AuditEvent): LogEvent {
  const { atMicros: at = 0, id = 0 } = place ?? {};
  return {
    source: 'vault',
    at,
    id,
    actorId: actorId === '' ? undefined : actorId,
    actorType: actorId === '' ? 'system' : actorType === 'session' ? 'session' : 'application',
    ...event,
  };
}

/** What the vault says about our request is no answer to the caller. */
function refuse(cause: unknown): never {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  throw away
    ? new AppError('unavailable', 'The vault, which keeps the log of tokens, cannot be reached.', { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
