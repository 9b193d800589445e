import type * as z from 'zod';

import type { InputLimits } from '../limits/input-limits.ts';

/** How a column takes part in SQL, the API and the published record. */
export interface Column<Value> {
  /** Never set: it carries the type of the value. */
  readonly value?: Value;
  /** Stored as jsonb. */
  readonly json?: true;
  /** An update leaves it as it is. */
  readonly fixed?: true;
  /** An update sets it, and it is no part of what a version is. */
  readonly unversioned?: true;
  /** Its name in the API; absent: its own. */
  readonly as?: string;
  /** The API shows of it only what `shownFields` is given in its place. */
  readonly hidden?: true;
  /** Converts a value for the API; undefined hides it. */
  show?(value: NonNullable<Value>): unknown;
  /** The shape of what a request may send for it. */
  readonly sent?: (limits: InputLimits) => z.ZodType<NonNullable<Value>>;
  /** What absence and null mean in a request; without it, a value is required. */
  readonly absent?: Value;
  /** It is in the published record, under its name in camelCase. Anything but true means null there. */
  readonly published?: true | NonNullable<Value>;
}

export type Fields = Readonly<Record<string, Column<unknown>>>;

type ValueOf<C> = C extends { readonly value?: infer Value } ? Value : never;

/** A row of a table with these columns. */
export type RowOf<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

/** A column by the type of its value: `column<string>()({ fixed: true })`. */
export function column<Value>() {
  return <const Options extends Omit<Column<Value>, 'value'>>(
    options: Options,
  ): Options & Pick<Column<Value>, 'value'> => options;
}

export const text = column<string>();
export const optionalText = column<string | null>();
export const flag = column<boolean>();

/** Who created a resource, and when. */
export const created = {
  created_by: text({ fixed: true }),
  created_at: column<Date>()({ fixed: true }),
};

/** Null until the first update. */
export const modified = {
  modified_by: optionalText({ unversioned: true }),
  modified_at: column<Date | null>()({ unversioned: true }),
};

/** Digits: a bigint of Postgres. */
export const version = text({ hidden: true, unversioned: true });

function* cells(
  fields: Fields,
  row: object,
): Iterable<[name: string, column: Column<unknown>, value: unknown]> {
  for (const [name, own] of Object.entries(fields)) yield [name, own, Reflect.get(row, name)];
}

/**
 * A resource as the API shows it, in the order of its columns: null is left out, times are in ISO 8601.
 * @param given what to show in place of columns, and beside them
 */
export function shownFields<F extends Fields>(
  fields: F,
  row: RowOf<F>,
  given: Readonly<Record<string, unknown>> = {},
): object {
  const shown: Record<string, unknown> = {};
  for (const [name, own, value] of cells(fields, row)) {
    const as = own.as ?? name;
    if (Object.hasOwn(given, as)) shown[as] = given[as];
    else if (own.hidden === undefined) shown[as] = showValue(own, value);
  }
  return { ...shown, ...given };
}

function showValue(own: Column<unknown>, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (own.show !== undefined) return own.show(value);
  return value instanceof Date ? value.toISOString() : value;
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

type PublishedColumn = { readonly published: unknown };
type PublishedValue<C> = C extends { readonly published: true } ? ValueOf<C> : NonNullable<ValueOf<C>>;

/** The part of a published record that is derived from the columns. */
export type PublishedFields<F extends Fields> = {
  -readonly [
    Name in keyof F & string as F[Name] extends PublishedColumn ? CamelCase<Name> : never
  ]: PublishedValue<F[Name]>;
};

/** The reader of that part from a row; names are converted once. */
export function publishedFieldsOf<F extends Fields>(fields: F): (row: RowOf<F>) => PublishedFields<F> {
  const names = Object.entries(fields)
    .filter(([, own]) => own.published !== undefined)
    .map(([name, own]) => ({ name, as: camelCase(name), absent: own.published }));
  return (row) => {
    const published: Record<string, unknown> = {};
    for (const { name, as, absent } of names) published[as] = row[name] ?? absent;
    return published as PublishedFields<F>;
  };
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
