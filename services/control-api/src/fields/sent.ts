import type * as z from 'zod';

import type { InputLimits } from '../limits/input-limits.ts';
import type { Column, Fields, RowOf } from './column.ts';

type SentName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { sent(limits: InputLimits): unknown } ? Name : never;
}[keyof F];

type ApiName<F extends Fields, Name extends keyof F> = F[Name] extends {
  readonly as: infer As extends string;
}
  ? As
  : Name;

/** What a request has sent for the columns, by their names in the API. */
export type Sent<F extends Fields> = {
  [Name in SentName<F> as ApiName<F, Name>]?: RowOf<F>[Name] | null | undefined;
};

/** The columns that a request sets directly. */
export type SentColumns<F extends Fields> = Pick<RowOf<F>, SentName<F>>;

type Shapes<F extends Fields> = {
  [Name in keyof Sent<F>]-?: z.ZodType<Sent<F>[Name]>;
};

/**
 * The shapes of what a request may send, by their names in the API.
 * @param isPatch nothing is required
 */
export function sentShapes<F extends Fields>(fields: F, limits: InputLimits, isPatch = false): Shapes<F> {
  const shapes: Record<string, z.ZodType> = {};
  for (const [name, { as, sent, absent }] of Object.entries(fields)) {
    const shape = sent?.(limits);
    if (shape === undefined) continue;
    const mayBeNull = absent !== undefined;
    shapes[as ?? name] = mayBeNull ? shape.nullish() : isPatch ? shape.optional() : shape;
  }
  return shapes as Shapes<F>;
}

/**
 * The columns after a request: absence is their default, or what they are, where it is a patch.
 * @param current of a patch
 */
export function sentColumns<F extends Fields>(fields: F, sent: Sent<F>, current?: RowOf<F>): SentColumns<F> {
  const bySentName = new Map<string, unknown>(Object.entries(sent));
  const next: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(fields)) {
    if (own.sent === undefined) continue;
    const value = bySentName.get(own.as ?? name);
    next[name] = value === undefined && current !== undefined ? current[name] : (value ?? absentOf(own));
  }
  return next as SentColumns<F>;
}

function absentOf({ absent }: Column<unknown>): unknown {
  return absent;
}
