import { validationError } from '@glovebox/platform/errors/app-error';
import type {
  AuditEvent as WireEvent,
  ListAuditRequest,
  ListAuditResponse,
} from '@glovebox/protos/vault/v1/vault';

import { personPurpose, revealPurpose } from '../../audit/audit-entry.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { longestTokenId } from '../../expressions/token-id-grammar.ts';
import { egressParty, egressPurpose } from '../../store/audit-egress.ts';
import {
  type AuditEvent,
  type AuditSelection,
  auditOutcomes,
  auditedEntities,
  countEvents,
  selectEvents,
  selectSessions,
} from '../../store/audit-events.ts';
import { leakPurpose, leakSubject } from '../../store/audit-leaks.ts';
import { CachedCounts } from '../../store/cached-counts.ts';
import { isUuid } from '../../values/uuid.ts';

/** Keeps a response far below the size limit of a message, even with the longest ids. */
const maxLimit = 1000;
/** The year 2255: the largest date that a number holds exactly in microseconds. */
const endOfTime = 9_000_000_000_000_000;

const anyOutcome = 'any';
const longestText = 400;

type ListAudit = (request: ListAuditRequest) => Promise<ListAuditResponse>;

/** Lists what was done, or refused, with a tenant's tokens, sessions and keys. It shows ids and no data. */
export function createAuditLister({
  postgres,
  queries,
  limits,
}: Pick<VaultContext, 'postgres' | 'queries' | 'limits'>): ListAudit {
  const counts = new CachedCounts(limits);
  return async (request) => {
    const selection = readSelection(request);
    const { after, limit, count } = request;
    const place = after === undefined ? { at: endOfTime, id: 0 } : { at: after.atMicros, id: after.id };
    const db = postgres.forTenant(selection.tenantId);
    const countUpTo = (most: number) => countEvents(db, selection, most);
    return queries.run(selection.tenantId, async () => {
      const events = limit === 0 ? [] : await selectEvents(db, selection, place, limit);
      const total = count ? await counts.count(JSON.stringify(selection), countUpTo) : 0;
      const actors = new Set(events.flatMap(({ applicationId }) => applicationId ?? []));
      const sessions = actors.size === 0 ? actors : await selectSessions(db, selection.tenantId, [...actors]);
      return { events: events.map((event) => wireEvent(event, sessions)), total };
    });
  };
}

function readSelection(request: ListAuditRequest): AuditSelection {
  const { tenantId, entityType, entityId, outcome, fromMicros, toMicros, limit } = request;
  const { actorId, operation, destination, traceId } = request;
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['tenant_id'] = ['must be a UUID'];
  const entity = auditedEntities.find((known) => known === entityType);
  if (entityType !== '' && entity === undefined) {
    problems['entity_type'] = [`must be one of ${auditedEntities.join(', ')}`];
  }
  const decided = auditOutcomes.find((known) => known === (outcome || 'allowed'));
  if (decided === undefined && outcome !== anyOutcome) {
    problems['outcome'] = [`must be one of ${[...auditOutcomes, anyOutcome].join(', ')}`];
  }
  if (entityId.length > longestTokenId || entityId.includes('\0'))
    problems['entity_id'] = ['cannot be an id'];
  if (actorId !== undefined && !isUuid(actorId)) problems['actor_id'] = ['must be a UUID'];
  for (const [name, text = ''] of Object.entries({ operation, destination, trace_id: traceId })) {
    if (text.length > longestText || text.includes('\0')) problems[name] = ['is too long, or no text'];
  }
  if (limit > maxLimit) problems['limit'] = [`must be at most ${maxLimit}`];
  if (Object.keys(problems).length > 0) throw validationError(problems);
  return {
    tenantId,
    entityType: entity,
    entityId: entityId === '' ? undefined : entityId,
    outcome: decided,
    actorId,
    operation,
    destination,
    traceId,
    from: fromMicros,
    to: toMicros === 0 ? endOfTime : Math.min(toMicros, endOfTime),
  };
}

function wireEvent(event: AuditEvent, sessions: ReadonlySet<string>): WireEvent {
  const { at, id, applicationId, tokenId, purpose, purposeId } = event;
  const aboutKey = tokenId === null && purpose === 'key';
  const entityType = tokenId !== null ? 'token' : aboutKey ? 'key' : 'session';
  return {
    place: { atMicros: at, id },
    actorId: applicationId ?? '',
    actorType: actorTypeOf(event, sessions),
    entityType,
    entityId: tokenId ?? purposeId ?? '',
    operation: tokenId === null ? event.operation.replace(`_${entityType}`, '') : event.operation,
    outcome: event.outcome,
    reason: event.reason ?? '',
    purpose: (aboutKey ? null : purpose) ?? '',
    purposeId: (aboutKey ? null : purposeId) ?? '',
    rule: event.rule ?? 0,
    destination: event.destination ?? '',
    traceId: event.correlationId ?? '',
    clientAddress: event.clientAddress ?? '',
    count: event.count ?? undefined,
    ...(tokenId === null && purpose === egressPurpose ? egressPart(event) : {}),
    ...(tokenId === null && purpose === leakPurpose ? leakPart(event) : {}),
  };
}

function actorTypeOf({ applicationId, purpose }: AuditEvent, sessions: ReadonlySet<string>): string {
  if (applicationId === null) return '';
  if (purpose === personPurpose || purpose === revealPurpose) return 'user';
  return sessions.has(applicationId) ? 'session' : 'application';
}

/** The entity is the proxy, reactor or webhook for which the request was made. */
function egressPart({ operation, purposeId }: AuditEvent): Partial<WireEvent> {
  const { subjectType, subjectId, destination } = egressParty(operation, purposeId);
  return {
    entityType: egressPurpose,
    entityId: subjectId,
    operation: egressPurpose,
    purpose: subjectType,
    purposeId: subjectId,
    destination,
  };
}

/** The entity is the proxy or reactor whose answer it was. */
function leakPart({ operation, purposeId }: AuditEvent): Partial<WireEvent> {
  const { subjectType, subjectId } = leakSubject(operation, purposeId);
  return {
    entityType: leakPurpose,
    entityId: subjectId,
    operation: leakPurpose,
    purpose: subjectType,
    purposeId: subjectId,
  };
}
