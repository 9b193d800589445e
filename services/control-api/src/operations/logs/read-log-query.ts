import { type LogFilter, type Place, outcomes } from '../../audit/log-entry.ts';
import { parseMoment } from '../../http/moment.ts';
import { type Page, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { uuidPattern } from '../../http/shape.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import { decodeCursor } from './cursor.ts';

export interface LogQuery {
  readonly filter: LogFilter;
  readonly page: Page;
  /** In place of the page's number. */
  readonly start: Place | undefined;
}

const maxTypeLength = 50;
const maxCursorLength = 500;
/** Of a host of 253 characters with its port. */
const maxDestinationLength = 260;
/** As long as the log keeps it. */
const maxTraceIdLength = 200;
/** The year 2255: what a number holds exactly. */
const endOfTime = 9_000_000_000_000_000;

/** @throws AppError `invalid_argument` with everything that is wrong */
export function readLogQuery(
  { logPageSize, tokenIdLength }: InputLimits,
  tenantId: string,
  query: URLSearchParams,
): LogQuery {
  const reader = new QueryReader(query);
  const filter: LogFilter = {
    tenantId,
    entityType: reader.single('entity_type', maxTypeLength),
    entityId: reader.single('entity_id', tokenIdLength),
    outcome: reader.oneOf('outcome', outcomes),
    actorId: reader.parsed('actor_id', 100, readUuid, 'must be a UUID'),
    operation: reader.single('operation', maxTypeLength),
    destination: reader.parsed(
      'destination',
      maxDestinationLength,
      readDestination,
      'must be a host, such as api.example.com, or a host and port',
    ),
    traceId: reader.single('trace_id', maxTraceIdLength),
    from: Math.min(readTime(reader, 'start_date') ?? 0, endOfTime),
    to: Math.min(readTime(reader, 'end_date') ?? endOfTime, endOfTime),
  };
  const page = readPage(reader, logPageSize);
  const start = reader.parsed(
    'start',
    maxCursorLength,
    decodeCursor,
    'must be a cursor from an earlier page of this list',
  );
  reader.done();
  return { filter, page, start };
}

/** The period of an export, which ends now at the latest. @throws AppError `invalid_argument` */
export function readExportQuery(tenantId: string, query: URLSearchParams, now: number): LogFilter {
  const reader = new QueryReader(query);
  const latest = now * 1000;
  const filter: LogFilter = {
    tenantId,
    entityType: undefined,
    entityId: undefined,
    outcome: undefined,
    from: Math.min(readTime(reader, 'start_date') ?? 0, latest),
    to: Math.min(readTime(reader, 'end_date') ?? latest, latest),
  };
  reader.done();
  return filter;
}

function readTime(reader: QueryReader, name: string): number | undefined {
  return reader.parsed(name, 50, parseMoment, 'must be a date or a time such as 2026-01-31T12:00:00Z');
}

function readUuid(text: string): string | undefined {
  return uuidPattern.test(text) ? text.toLowerCase() : undefined;
}

/** As the log spells it: in lower case, with a port. */
function readDestination(text: string): string | undefined {
  const [, host, port = '443'] = /^([^\s/:@]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return host === undefined ? undefined : `${host.toLowerCase()}:${port}`;
}
