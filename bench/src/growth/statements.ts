import type { Queryable } from '@glovebox/platform/db/postgres';

import { selectEvents } from '../../../services/token-vault/src/store/audit-events.ts';
import { recordDecisions } from '../../../services/token-vault/src/store/audit-log.ts';
import { selectPage, countUpTo } from '../../../services/token-vault/src/store/list-tokens.ts';
import { everyToken } from '../../../services/token-vault/src/store/token-filter.ts';
import { selectRows } from '../../../services/token-vault/src/store/token-rows.ts';

export interface Subject {
  readonly tenantId: string;
  readonly rows: number;
}

/** A statement of the vault that a request waits for. */
export type Statement = (db: Queryable, subject: Subject) => Promise<unknown>;

const yearMs = 31_536_000_000;
const size = 20;

const page =
  (offset: (rows: number) => number): Statement =>
  (db, { tenantId, rows }) =>
    selectPage(
      db,
      { tenantId, filter: everyToken, now: new Date() },
      'newest',
      { offset: offset(rows) },
      size,
    );

const events =
  (ago: number, tokenId?: string): Statement =>
  (db, { tenantId }) =>
    selectEvents(
      db,
      {
        tenantId,
        entityType: tokenId === undefined ? undefined : 'token',
        entityId: tokenId,
        outcome: 'allowed',
        from: 0,
        to: 9e15,
      },
      { at: (Date.now() - ago) * 1000, id: 0 },
      size,
    );

/** By what they do. */
export const statements: Readonly<Record<string, Statement>> = {
  'read a token for a use': (db, { tenantId, rows }) =>
    selectRows(db, [{ tenantId, id: `t${Math.ceil(rows / 2)}` }], 1e6),
  'record a use': (db, { tenantId }) => recordDecisions(db, [useOf(tenantId)]),
  'first page of tokens': page(() => 0),
  'page of tokens by cursor, in the middle': (db, { tenantId }) =>
    selectPage(
      db,
      { tenantId, filter: everyToken, now: new Date() },
      'newest',
      { after: { container: '/pci/high/', createdAt: new Date(Date.now() - yearMs / 2), id: 't1' } },
      size,
    ),
  'tokens by metadata': (db, { tenantId }) =>
    selectPage(
      db,
      { tenantId, filter: { kind: 'metadata', name: 'customer', value: 'c-77' }, now: new Date() },
      'newest',
      { offset: 0 },
      size,
    ),
  'first page of the log': events(0),
  'page of the log by cursor, in the middle': events(yearMs / 2),
  'log of one token': events(0, 't99'),
  'page of tokens by number, at 10,000': page(() => 10_000),
  'page of tokens by number, at 100,000': page((rows) => Math.min(100_000, rows) - size),
  'page of tokens by number, the last': page((rows) => rows - size),
  'count of tokens, up to 10,001': (db, { tenantId }) =>
    countUpTo(db, { tenantId, filter: everyToken, now: new Date() }, 10_001),
  'count of all tokens': (db, { tenantId }) =>
    countUpTo(db, { tenantId, filter: everyToken, now: new Date() }, Number.MAX_SAFE_INTEGER),
};

function useOf(tenantId: string): Parameters<typeof recordDecisions>[1][number] {
  return {
    tenantId,
    applicationId: tenantId,
    operation: 'use',
    tokenId: 't1',
    outcome: 'allowed',
    reason: null,
    view: 'reveal',
    purpose: 'proxy',
    purposeId: tenantId,
    correlationId: '7f1c2a9e-0000-4000-8000-000000000001',
    revision: null,
    rule: 1,
    destination: null,
    clientAddress: null,
    cachedRevision: null,
  };
}
