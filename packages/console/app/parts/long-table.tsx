import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { texts } from '../texts.ts';
import { TableHead } from './table.tsx';

/** Of one line of text. Rows are measured once they are shown. */
const guessedHeight = 33;
/** Rows beyond the window that are there already. */
const overscan = 12;

interface LongTableProps<T> {
  readonly label: string;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => ReactNode])[];
  readonly rows: readonly T[];
  /** There are more than these. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
}

/** A table of any length, which scrolls with the page: only the rows in the window are there, and further ones are read as it scrolls. */
export function LongTable<T extends { readonly id: string | number }>({
  label,
  columns,
  rows,
  hasMore,
  isLoading,
  loadMore,
}: LongTableProps<T>) {
  const [body, top] = useTop();
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => guessedHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan,
    scrollMargin: top,
  });
  const shown = virtualizer.getVirtualItems();
  const first = shown[0];
  const last = shown.at(-1);
  const isAtEnd = last !== undefined && last.index >= rows.length - overscan;
  useEffect(() => {
    if (isAtEnd && hasMore && !isLoading) loadMore();
  }, [isAtEnd, hasMore, isLoading, loadMore]);
  const before = first === undefined ? 0 : first.start - top;
  const after = last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - top);
  return (
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <TableHead titles={columns.map(([title]) => title)} />
        <tbody ref={body}>
          <Gap height={before} columns={columns.length} />
          {shown.map(({ index, key }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <tr key={key} ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
                  {columns.map(([title, cell]) => (
                    <td key={title}>{cell(row)}</td>
                  ))}
                </tr>
              )
            );
          })}
          <Gap height={after} columns={columns.length} />
        </tbody>
      </table>
      {isLoading && (
        <p className="soft more" role="status">
          {texts.states.loading}
        </p>
      )}
    </section>
  );
}

/** How far from the top of the page the rows begin. */
function useTop() {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  // What is above the table comes and goes.
  useLayoutEffect(() => {
    const above = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setTop((known) => (Math.abs(known - above) < 1 ? known : above));
  });
  return [body, top] as const;
}

/** In place of rows outside the window. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden="true" className="gap">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
