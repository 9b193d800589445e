import { type LogFilter, type Place, outcomes } from '../../audit/log-entry.ts';
import { type Page, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import { decodeCursor } from './cursor.ts';
import { parseMoment } from './moment.ts';

export interface LogQuery {
  readonly filter: LogFilter;
  readonly page: Page;
  /** In place of the page's number. */
  readonly start: Place | undefined;
}

const maxTypeLength = 50;
const maxCursorLength = 500;
/** The year 2255: what a number holds exactly. */
const endOfTime = 9_000_000_000_000_000;

/** @throws AppError `invalid_argument` with everything that is wrong */
export function readLogQuery(
  { logPageSize, tokenIdLength }: InputLimits,
  tenantId: string,
  query: URLSearchParams,
): LogQuery {
  const reader = new QueryReader(query);
  const time = (name: string) =>
    reader.parsed(name, 50, parseMoment, 'must be a date or a time such as 2026-01-31T12:00:00Z');
  const filter: LogFilter = {
    tenantId,
    entityType: reader.single('entity_type', maxTypeLength),
    entityId: reader.single('entity_id', tokenIdLength),
    outcome: reader.oneOf('outcome', outcomes),
    from: Math.min(time('start_date') ?? 0, endOfTime),
    to: Math.min(time('end_date') ?? endOfTime, endOfTime),
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
