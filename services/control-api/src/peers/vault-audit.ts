import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type AuditEvent,
  type ListAuditRequest,
  type ListAuditResponse,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { LogEntry, LogFilter } from '../audit/log-entry.ts';
import type { AuditSource } from '../audit/vault-sources.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultAudit(channel: GrpcChannel): AuditSource {
  const ask = (
    filter: LogFilter,
    more: Pick<ListAuditRequest, 'after' | 'limit' | 'count'>,
    correlationId: string,
  ): Promise<ListAuditResponse> => {
    const {
      tenantId,
      entityType = '',
      entityId = '',
      outcome = 'any',
      actorId,
      operation,
      destination,
      traceId,
      from: fromMicros,
      to: toMicros,
    } = filter;
    const rare = { actorId, operation, destination, traceId };
    const request = { tenantId, entityType, entityId, outcome, fromMicros, toMicros, ...rare, ...more };
    const options = peerCall(callTimeoutMs, correlationId);
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

function logEvent({ place, actorId, actorType, outcome, reason, ...event }: AuditEvent): LogEntry {
  const { rule, destination, traceId, clientAddress } = event;
  const { atMicros: at = 0, id = 0 } = place ?? {};
  return {
    source: 'vault',
    at,
    id,
    actorId: actorId === '' ? undefined : actorId,
    outcome: outcome === 'denied' ? 'denied' : 'allowed',
    reason: reason === '' ? undefined : reason,
    actorType: actorId === '' ? 'system' : actorType === 'session' ? 'session' : 'application',
    ...event,
    rule: rule === 0 ? undefined : rule,
    destination: destination === '' ? undefined : destination,
    traceId: traceId === '' ? undefined : traceId,
    clientAddress: clientAddress === '' ? undefined : clientAddress,
  };
}

function refuse(cause: unknown): never {
  throw peerFailure('The vault, which keeps the log of tokens, cannot be reached.', cause);
}
