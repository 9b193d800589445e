import { parseExpiresAt } from '@glovebox/access/expires-at';

import type { Limit } from '../store/token-filter.ts';

/** A whole day in UTC, or a point in time. */
export interface Moment {
  readonly first: Date;
  readonly end: Limit;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Reads ISO 8601; null for anything else. */
export function parseMoment(text: string): Moment | null {
  const time = text.includes('/') ? null : parseExpiresAt(text);
  if (time === null) return null;
  const first = new Date(time.epochMs);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  return {
    first,
    end: isDate ? { at: new Date(time.epochMs + dayMs), inclusive: false } : { at: first, inclusive: true },
  };
}
