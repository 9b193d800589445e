import type { Queryable } from '@glovebox/platform/db/postgres';
import { type FieldProblems, validationError } from '@glovebox/platform/errors/app-error';

import { isAudited, isManaged } from '../../audit/audit-event.ts';
import { type LogEntry, type LogFilter, type Place, behind, compare } from '../../audit/log-entry.ts';
import { countEntries, selectEntries } from '../../audit/store.ts';
import type { AuditSource } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Page, envelope, offsetOf } from '../../http/page.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import { encodeCursor } from './cursor.ts';
import { readLogQuery } from './read-log-query.ts';
import { showLog } from './show-log.ts';

export interface LogDependencies {
  readonly postgres: Queryable;
  readonly audit: AuditSource;
  readonly inputLimits: InputLimits;
}

/**
 * Merges this service's log with the vault's, newest first. Pages have numbers and the cursor of the next page.
 * Reading by cursor counts nothing, and new entries do not shift its pages.
 */
export async function listLogs(
  dependencies: LogDependencies,
  { principal: { tenantId }, query, correlationId }: Call,
): Promise<Reply> {
  const { inputLimits } = dependencies;
  const { filter, page, start } = readLogQuery(inputLimits, tenantId, query);
  const log = new MergedLog(dependencies, filter, correlationId);
  const answer =
    start === undefined
      ? await numbered(log, page, inputLimits.numberedLogs)
      : await fromCursor(log, start, page);
  const data = answer.events.map((event) => showLog(tenantId, event));
  const last = answer.events.at(-1);
  const cursor = answer.isMore && last !== undefined ? encodeCursor(last) : undefined;
  const pagination = { ...answer.pagination, next: cursor, after: cursor };
  return { status: 200, body: { pagination, data } };
}

interface Answer {
  readonly pagination: object;
  readonly events: readonly LogEntry[];
  readonly isMore: boolean;
}

/** @param deepest everything before a page is read to find it */
async function numbered(log: MergedLog, page: Page, deepest: number): Promise<Answer> {
  const total = await log.count();
  const { pagination } = envelope(page, total, []);
  const offset = offsetOf(page);
  if (offset >= total) return { pagination, events: [], isMore: false };
  if (offset + page.size > deepest) throw validationError(tooDeep(deepest));
  const events = (await log.read(newest, offset + page.size)).slice(offset);
  return { pagination, events, isMore: offset + events.length < total };
}

const newest: Place = { at: Number.MAX_SAFE_INTEGER, source: 'vault', id: 0 };
const tooDeep = (deepest: number): FieldProblems => ({
  page: [`must end within the first ${deepest} entries; use start beyond`],
});

async function fromCursor(log: MergedLog, start: Place, { size }: Page): Promise<Answer> {
  const events = await log.read(start, size + 1);
  const pagination = { page_size: size };
  return { pagination, events: events.slice(0, size), isMore: events.length > size };
}

/** The two logs as one. */
class MergedLog {
  readonly #dependencies: LogDependencies;
  readonly #filter: LogFilter;
  readonly #correlationId: Call['correlationId'];
  readonly #isManaged: boolean;
  readonly #isAudited: boolean;

  constructor(dependencies: LogDependencies, filter: LogFilter, correlationId: string) {
    const { entityType, destination } = filter;
    this.#dependencies = dependencies;
    this.#filter = filter;
    this.#correlationId = correlationId;
    // A change of a resource has no destination.
    this.#isManaged = destination === undefined && (entityType === undefined || isManaged(entityType));
    this.#isAudited = entityType === undefined || isAudited(entityType);
  }

  async count(): Promise<number> {
    const { postgres, audit } = this.#dependencies;
    const [managed, audited] = await Promise.all([
      this.#isManaged ? countEntries(postgres, this.#filter) : 0,
      this.#isAudited ? audit.count(this.#filter, this.#correlationId) : 0,
    ]);
    return managed + audited;
  }

  async read(after: Place, limit: number): Promise<readonly LogEntry[]> {
    const { postgres } = this.#dependencies;
    const [managed, audited] = await Promise.all([
      this.#isManaged ? selectEntries(postgres, this.#filter, behind(after, 'control'), limit) : [],
      this.#isAudited ? this.#readAudit(after, limit) : [],
    ]);
    return [...managed, ...audited].toSorted(compare).slice(0, limit);
  }

  async #readAudit(after: Place, limit: number): Promise<readonly LogEntry[]> {
    const { audit } = this.#dependencies;
    const events: LogEntry[] = [];
    while (events.length < limit) {
      const wanted = Math.min(perCall, limit - events.length);
      const place = behind(events.at(-1) ?? after, 'vault');
      const part = await audit.list(this.#filter, place, wanted, this.#correlationId);
      events.push(...part);
      if (part.length < wanted) break;
    }
    return events;
  }
}

/** Entries in one answer of the vault. */
const perCall = 1000;
