import { invocationOutcomes } from '@glovebox/published/invocation-outline';

import { parseMoment } from '../../http/moment.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { uuidPattern } from '../../http/shape.ts';
import type { InvocationFilter } from '../../invocations/invocation-filter.ts';

export interface InvocationQuery {
  readonly filter: InvocationFilter;
  readonly size: number;
  /** The place of the last one of the page before. */
  readonly start: string | undefined;
}

/** Most of one page. */
const largestPage = 100;
const maxTraceIdLength = 200;
const maxMomentLength = 50;
const maxCursorLength = 100;

/** @throws AppError `invalid_argument` with everything that is wrong */
export function readInvocationQuery(params: URLSearchParams): InvocationQuery {
  const query = new QueryReader(params);
  const filter = readFilter(query);
  const size = readSize(query, largestPage);
  const start = query.parsed('start', maxCursorLength, decodeCursor, 'is no cursor of a page');
  query.done();
  return { filter, size, start };
}

/** The same without a page. @throws AppError `invalid_argument` */
export function readInvocationFilter(params: URLSearchParams): InvocationFilter {
  const query = new QueryReader(params);
  const filter = readFilter(query);
  query.done();
  return filter;
}

function readFilter(query: QueryReader): InvocationFilter {
  const micros = query.parsed(
    'started_after',
    maxMomentLength,
    parseMoment,
    'must be an ISO 8601 date or time',
  );
  return {
    subject: query.parsed('subject', maxTraceIdLength, uuidOf, 'must be a UUID'),
    outcomes: query.anyOf('outcome', invocationOutcomes),
    traceId: query.single('trace_id', maxTraceIdLength),
    status: query.parsed('status', 3, statusOf, 'must be a status from 100 to 599'),
    startedAfter: micros === undefined ? undefined : micros / 1000,
  };
}

function uuidOf(text: string): string | undefined {
  return uuidPattern.test(text) ? text.toLowerCase() : undefined;
}

function statusOf(text: string): number | undefined {
  return /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
}

/** Opaque to clients. */
export function encodeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

function decodeCursor(text: string): string | undefined {
  const place = Buffer.from(text, 'base64url').toString('latin1');
  return isPlace(place) ? place : undefined;
}

/** Whether a text is the place of an invocation among those of its tenant. */
export function isPlace(text: string): boolean {
  return /^\d{1,15}-\d{1,15}$/.test(text);
}
