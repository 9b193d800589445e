import { maxEpochMs } from '@glovebox/access/expires-at';

import type { Position } from '../store/list-tokens.ts';
import { type JsonObject } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';

/** The requested part of a list (contract/conventions.md#pagination). */
export type PageRequest =
  | { readonly kind: 'numbered'; readonly number: number; readonly size: number }
  | { readonly kind: 'after'; readonly size: number; readonly after: Position | undefined };

export interface PageFields {
  readonly page: unknown;
  readonly size: unknown;
  readonly start: unknown;
}

const defaultSize = 20;
const maxNumber = 2 ** 31 - 1;

/** A request with a start, even an empty one, uses cursors. */
export function readPageRequest(
  { page, size, start }: PageFields,
  byCursor: boolean,
  largest: number,
  report: ReportProblem,
): PageRequest {
  const wanted = readInteger(size, 'size', largest, report) || Math.min(defaultSize, largest);
  const number = readInteger(page, 'page', maxNumber, report) || 1;
  if (!byCursor && (start === undefined || start === null)) return { kind: 'numbered', number, size: wanted };
  return { kind: 'after', size: wanted, after: readStart(start, report) };
}

/** 0 means the default (contract/choices.md#page-zero). */
function readInteger(value: unknown, path: string, max: number, report: ReportProblem): number {
  if (value === undefined || value === null || value === '') return 0;
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max) return number;
  report(path, `must be a whole number from 0 to ${String(max)}`);
  return 0;
}

/** The longest id and container, in characters of three bytes each, with what surrounds them, in base64. */
const maxStartLength = 6000;

function readStart(value: unknown, report: ReportProblem): Position | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const position = typeof value === 'string' && value.length <= maxStartLength ? decode(value) : undefined;
  if (position === undefined) report('start', 'must be the next of an earlier page');
  return position;
}

/** The pagination of a numbered page (contract/conventions.md#pagination). */
export function numberedPagination(total: number, number: number, size: number): JsonObject {
  return { total_items: total, page_number: number, page_size: size, total_pages: Math.ceil(total / size) };
}

/** The cursor behind a token. It is not secret: it encodes the position of a token that the client has seen. */
export function startAfter({ container, createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id, container])).toString('base64url');
}

function decode(text: string): Position | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [at, id, container] = parts as readonly unknown[];
  if (typeof at !== 'number' || !(at >= 0 && at <= maxEpochMs)) return undefined;
  return isText(id) && isText(container) ? { createdAt: new Date(at), id, container } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}
