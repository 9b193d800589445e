import type { ReactNode } from 'react';

import type { Pages } from '../api/use-pages.ts';
import { texts } from '../texts.ts';
import { LongTable } from './long-table.tsx';
import { Empty, Failure } from './states.tsx';

/** A list of any length, or why it is not there. */
export function Listed<T extends { readonly id: string | number }>({
  pages,
  label,
  columns,
  empty,
  newer = [],
}: {
  readonly pages: Pages<T>;
  readonly label: string;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => ReactNode])[];
  readonly empty: string;
  /** What came after the list was read; some of it may be in both. */
  readonly newer?: readonly T[];
}) {
  const { rows, error, retry, hasMore, isLoading, loadMore } = pages;
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (rows === undefined) {
    return (
      <p className="soft" role="status">
        {texts.states.loading}
      </p>
    );
  }
  const known = new Set(newer.map(({ id }) => id));
  const all = newer.length === 0 ? rows : [...newer, ...rows.filter(({ id }) => !known.has(id))];
  if (all.length === 0) return <Empty>{empty}</Empty>;
  return (
    <LongTable
      label={label}
      columns={columns}
      rows={all}
      hasMore={hasMore}
      isLoading={isLoading}
      loadMore={loadMore}
    />
  );
}
