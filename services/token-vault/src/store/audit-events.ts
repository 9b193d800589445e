import type { Queryable } from '@glovebox/platform/db/postgres';

import { egressOperations, egressPurpose, isOfSubject } from './audit-egress.ts';
import { leakOperations, leakPurpose } from './audit-leaks.ts';

/** The entities of the audit log. All but tokens are stored as the purpose of a row. */
export const auditedEntities = ['token', 'session', 'key', 'egress', 'leak'] as const;
export type AuditedEntity = (typeof auditedEntities)[number];

export const auditOutcomes = ['allowed', 'denied'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Selects a part of a tenant's audit log. Times are microseconds since the epoch. */
export interface AuditSelection {
  readonly tenantId: string;
  readonly entityType: AuditedEntity | undefined;
  readonly entityId: string | undefined;
  /** Undefined: both. */
  readonly outcome: AuditOutcome | undefined;
  readonly actorId?: string | undefined;
  /** As an event shows it: without the entity that the stored operations of sessions and keys name. */
  readonly operation?: string | undefined;
  readonly destination?: string | undefined;
  readonly traceId?: string | undefined;
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** A position in the order, newest first; id 0 comes last within its time. */
export interface AuditPlace {
  readonly at: number;
  readonly id: number;
}

export interface AuditEvent extends AuditPlace {
  readonly outcome: AuditOutcome;
  /** The reason of a refusal. */
  readonly reason: string | null;
  readonly applicationId: string | null;
  readonly operation: string;
  readonly tokenId: string | null;
  readonly purpose: string | null;
  readonly purposeId: string | null;
  readonly rule: number | null;
  readonly destination: string | null;
  readonly correlationId: string | null;
  readonly clientAddress: string | null;
  readonly count: number | null;
}

/** Events after a position, newest first. The end of the time is where an index begins, not the position, so both are moved. */
export async function selectEvents(
  db: Queryable,
  selection: AuditSelection,
  after: AuditPlace,
  limit: number,
): Promise<readonly AuditEvent[]> {
  const order = 'ORDER BY at DESC, id DESC LIMIT $7';
  const { conditions, values } = conditionsOf(selection, 8);
  const part = (condition: string) =>
    `(SELECT ${columns} FROM searchable_audit WHERE ${condition} AND (at, id) < (${moment('$5')}, $6) ${order})`;
  const rows = await ask<Row>(
    db,
    selection,
    `list-audit-${nameOf(selection)}`,
    `SELECT * FROM (${conditions.map(part).join(' UNION ALL ')}) AS part ${order}`,
    [
      ...valuesOf({ ...selection, to: Math.min(selection.to, after.at + 1) }),
      after.at,
      after.id,
      limit,
      ...values,
    ],
  );
  return rows.map((row) => ({
    at: Number(row.micros),
    id: Number(row.id),
    outcome: row.outcome,
    reason: row.reason,
    applicationId: row.application_id,
    operation: row.operation,
    tokenId: row.token_id,
    purpose: row.purpose,
    purposeId: row.purpose_id,
    rule: row.rule,
    destination: row.destination,
    correlationId: row.correlation_id,
    clientAddress: row.client_address,
    count: row.count,
  }));
}

/** The actors that are sessions. */
export async function selectSessions(
  db: Queryable,
  tenantId: string,
  actorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ purpose_id: string }>(
    'audit-sessions',
    `SELECT DISTINCT purpose_id FROM audit
      WHERE tenant_id = $1 AND purpose = 'session' AND purpose_id = ANY($2) AND outcome = 'allowed'`,
    [tenantId, actorIds],
  );
  return new Set(rows.map((row) => row.purpose_id));
}

/** Counts up to a limit. */
export async function countEvents(db: Queryable, selection: AuditSelection, limit: number): Promise<number> {
  const { conditions, values } = conditionsOf(selection, 6);
  const part = (condition: string) => `(SELECT 1 FROM searchable_audit WHERE ${condition} LIMIT $5)`;
  const rows = await ask<{ count: string }>(
    db,
    selection,
    `count-audit-${nameOf(selection)}`,
    `SELECT count(*) AS count FROM (SELECT * FROM (${conditions.map(part).join(' UNION ALL ')}) AS part LIMIT $5) AS counted`,
    [...valuesOf(selection), limit, ...values],
  );
  return Number(rows[0]?.count ?? 0);
}

interface Row {
  readonly id: string;
  readonly outcome: AuditOutcome;
  readonly reason: string | null;
  readonly micros: string;
  readonly application_id: string | null;
  readonly operation: string;
  readonly token_id: string | null;
  readonly purpose: string | null;
  readonly purpose_id: string | null;
  readonly rule: number | null;
  readonly destination: string | null;
  readonly correlation_id: string | null;
  readonly client_address: string | null;
  readonly count: number | null;
}

const columns = `id, at, (extract(epoch FROM at) * 1000000)::bigint AS micros, application_id, operation, token_id,
  purpose, purpose_id, outcome, reason, rule, destination, correlation_id, client_address, count`;

const moment = (parameter: string) =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/**
 * Every condition has an index of its own.
 * @param next the number of the first parameter of `values`
 */
function conditionsOf(
  selection: AuditSelection,
  next: number,
): { readonly conditions: readonly string[]; readonly values: readonly unknown[] } {
  const { entityType, entityId, outcome, actorId, operation, destination, traceId } = selection;
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${next - 1 + values.push(value)}`;
  let shared = `tenant_id = $1 AND at >= ${moment('$2')} AND at < ${moment('$3')}`;
  if (outcome !== undefined) shared += ` AND outcome = '${outcome}'`;
  if (actorId !== undefined) shared += ` AND application_id = ${parameter(actorId)}::uuid`;
  if (destination !== undefined) shared += ` AND destination = ${parameter(destination)}`;
  if (traceId !== undefined) shared += ` AND correlation_id = ${parameter(traceId)}`;
  const operations =
    operation === undefined
      ? [shared]
      : storedOperations(operation).map((stored) => `${shared} AND operation = ${parameter(stored)}`);
  return { conditions: operations.flatMap((known) => entityConditions(known, entityType, entityId)), values };
}

function entityConditions(
  shared: string,
  entityType: AuditedEntity | undefined,
  entityId: string | undefined,
): readonly string[] {
  if (entityId === undefined) return [`${shared} AND $4::text IS NULL AND ${anyOf[entityType ?? 'all']}`];
  const oneOf = {
    token: 'token_id = $4',
    session: as('session', '= $4'),
    key: as('key', '= $4'),
    egress: isOfSubject('$4'),
    leak: as('leak', '= $4'),
  };
  return auditedEntities
    .filter((entity) => entityType === undefined || entityType === entity)
    .map((entity) => `${shared} AND ${oneOf[entity]}`);
}

/** Operations on sessions and keys are stored with the name of these, and shown without it. */
function storedOperations(operation: string): readonly string[] {
  if (operation === egressPurpose) return egressOperations;
  if (operation === leakPurpose) return leakOperations;
  const ofOthers = [`${operation}_session`, `${operation}_key`];
  return /_(?:session|key)$/.test(operation) ? ofOthers : [operation, ...ofOthers];
}

/** A statement with rare filters is planned for its values, and not kept: there are too many combinations. */
function ask<Row extends object>(
  db: Queryable,
  { actorId, operation, destination, traceId }: AuditSelection,
  ...statement: [name: string, text: string, values: readonly unknown[]]
): Promise<Row[]> {
  const isRare = [actorId, operation, destination, traceId].some((value) => value !== undefined);
  return isRare ? db.queryOnce<Row>(...statement) : db.query<Row>(...statement);
}

const as = (purpose: string, id: string) => `purpose = '${purpose}' AND purpose_id ${id}`;

const anyOf = {
  token: 'token_id IS NOT NULL',
  session: as('session', 'IS NOT NULL'),
  key: as('key', 'IS NOT NULL'),
  egress: as('egress', 'IS NOT NULL'),
  leak: as('leak', 'IS NOT NULL'),
  all: `(token_id IS NOT NULL OR (purpose IN ('session', 'key', 'egress', 'leak') AND purpose_id IS NOT NULL))`,
};

/** Selects what was done, without refusals and without reports of hosts and leaks. */
export const done = `outcome = 'allowed' AND ${anyOf.all}
  AND purpose IS DISTINCT FROM 'egress' AND purpose IS DISTINCT FROM 'leak'`;

function valuesOf({ tenantId, from, to, entityId }: AuditSelection): unknown[] {
  return [tenantId, from, to, entityId ?? null];
}

const nameOf = ({ entityType, entityId, outcome }: AuditSelection) =>
  `${entityType ?? 'all'}-${entityId === undefined ? 'any' : 'one'}-${outcome ?? 'both'}`;
