import type { Queryable } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';
import * as z from 'zod';

import { defaultInputLimits } from '../limits/input-limits.ts';
import { type RowOf, column, created, flag, publishedFieldsOf, shownFields, text } from './column.ts';
import { sentColumns, sentShapes } from './sent.ts';
import { columnsOf, tableOf } from './table.ts';

const fields = {
  id: text({ fixed: true, published: true }),
  sealed_key: column<Buffer>()({ as: 'key', fixed: true, hidden: true }),
  name: text({ sent: () => z.string() }),
  is_open: flag({ sent: () => z.boolean(), absent: true, published: true }),
  timeout_seconds: column<number | null>()({
    as: 'timeout',
    sent: () => z.int(),
    absent: null,
    published: 0,
  }),
  tags: column<readonly string[] | null>()({ json: true }),
  ...created,
};

const row: RowOf<typeof fields> = {
  id: 'i',
  sealed_key: Buffer.from('sealed'),
  name: 'n',
  is_open: false,
  timeout_seconds: null,
  tags: ['a'],
  created_by: 'c',
  created_at: new Date(0),
};

describe('a table of columns', () => {
  it('shows what is not hidden, in its order, and for what is hidden only what it is given', () => {
    const shown = { id: 'i', name: 'n', is_open: false, tags: ['a'], created_by: 'c' };
    const created_at = '1970-01-01T00:00:00.000Z';
    const without = JSON.stringify(shownFields(fields, row));
    expect(without).to.equal(JSON.stringify({ ...shown, created_at }));
    const given = JSON.stringify(shownFields(fields, row, { key: 'opened', state: 'active' }));
    expect(Object.keys(JSON.parse(given) as object).slice(0, 3)).to.deep.equal(['id', 'key', 'name']);
    expect(JSON.parse(given)).to.deep.equal({ ...shown, created_at, key: 'opened', state: 'active' });
  });

  it('publishes the columns that say so, in camelCase, with a value for null', () => {
    const published = publishedFieldsOf(fields)(row);
    expect(published).to.deep.equal({ id: 'i', isOpen: false, timeoutSeconds: 0 });
  });

  it('takes defaults for what a request leaves out, and what there is where it is a patch', () => {
    const shape = z.object(sentShapes(fields, defaultInputLimits));
    expect(shape.safeParse({}).error?.issues.map(({ path }) => path)).to.deep.equal([['name']]);
    const create = sentColumns(fields, shape.parse({ name: 'x', timeout: 3, id: 'not taken' }));
    expect(create).to.deep.equal({ name: 'x', is_open: true, timeout_seconds: 3 });
    const patch = z.object(sentShapes(fields, defaultInputLimits, true));
    const kept = { name: 'n', is_open: false, timeout_seconds: null };
    expect(sentColumns(fields, patch.parse({}), row)).to.deep.equal(kept);
    const cleared = sentColumns(fields, patch.parse({ is_open: null, timeout: 9 }), row);
    expect(cleared).to.deep.equal({ ...kept, is_open: true, timeout_seconds: 9 });
  });

  it('is written by statements that name its columns alone, and pass every value as a parameter', async () => {
    const sent: unknown[] = [];
    const db = { query: async (...query: unknown[]) => (sent.push(query), []) } as unknown as Queryable;
    const { insert, replace } = tableOf('things', 'thing', fields);
    await insert(db, row);
    await replace(db, { ...row, tags: null });
    const all = columnsOf(fields);
    expect(columnsOf(fields, 't')).to.equal(all.replaceAll(/(\w+)/g, 't.$1'));
    expect(sent).to.deep.equal([
      [
        'insert-thing',
        `INSERT INTO things (${all}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        ['i', row.sealed_key, 'n', false, null, '["a"]', 'c', row.created_at],
      ],
      [
        'replace-thing',
        'UPDATE things SET name = $2, is_open = $3, timeout_seconds = $4, tags = $5 WHERE id = $1',
        ['i', 'n', false, null, null],
      ],
    ]);
  });
});
