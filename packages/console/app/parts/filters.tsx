import { type ReactNode, useState } from 'react';

import { texts } from '../texts.ts';

/** The values of a form of filters, by the names of parameters. */
export interface FilterForm {
  readonly value: (name: string) => string;
  readonly set: (name: string) => (value: string) => void;
}

/** Filters of a list, which are in the address: a link leads to the same. */
export function Filters({
  names,
  params,
  apply,
  children,
}: {
  readonly names: readonly string[];
  readonly params: URLSearchParams;
  readonly apply: (next: URLSearchParams) => void;
  readonly children: (form: FilterForm) => ReactNode;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])),
  );
  const form: FilterForm = {
    value: (name) => values[name] ?? '',
    set: (name) => (value) => setValues((before) => ({ ...before, [name]: value })),
  };
  const filled = Object.entries(values).map(([name, value]) => [name, value.trim()] as const);
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(new URLSearchParams(filled.filter(([, value]) => value !== '').map(([...pair]) => pair)));
      }}
    >
      {children(form)}
      <button type="submit" className="button primary">
        {texts.actions.apply}
      </button>
      <button type="button" className="button" onClick={() => apply(new URLSearchParams())}>
        {texts.actions.clear}
      </button>
    </form>
  );
}

/** Those parameters of the address that have a value, as a query of the API. */
export function queryOf(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const pairs = names.map((name) => [name, params.get(name) ?? '']);
  return new URLSearchParams(pairs.filter(([, value]) => value !== ''));
}

/** A moment of the reader's clock, as `datetime-local` has it, in words of the API; what is no moment stays as it is. */
export function momentOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}
