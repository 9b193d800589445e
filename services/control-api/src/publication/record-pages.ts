import type { NamedRecord, RecordPages } from './record.ts';

const rowsPerPage = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Reads rows by id, page by page, and gives the records of each page. */
export async function* publishInPages<Row extends { readonly id: string }>(
  readPage: (after: string, limit: number) => Promise<readonly Row[]>,
  recordsOf: (row: Row) => readonly NamedRecord[],
): RecordPages {
  for (let after = beforeAll; ;) {
    const rows = await readPage(after, rowsPerPage);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.flatMap(recordsOf);
    after = last.id;
  }
}
