import type { ReactNode } from 'react';

/** Rows of a list; each cell may be anything. */
export function Table<T extends { readonly id: string | number }>({
  label,
  columns,
  rows,
}: {
  readonly label: string;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => ReactNode])[];
  readonly rows: readonly T[];
}) {
  return (
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <TableHead titles={columns.map(([title]) => title)} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(([title, cell]) => (
                <td key={title}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function TableHead({ titles }: { readonly titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
