import { migrate } from '@glovebox/platform/db/migrate';
import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';

import { migrationsFolder } from '../src/migrations.ts';
import { append, deleteEntries, readEntries } from '../src/publication/outbox.ts';
import { type NamedRecord, namedRecord } from '../src/publication/record.ts';
import { newInstallation } from './harness/stores.ts';

const mebibyte = 1024 * 1024;

function record(number: number, size: number): NamedRecord {
  const settings = { text: 'x'.repeat(size) };
  return namedRecord(`tenant:${number}`, 1, {
    $case: 'tenant',
    value: { id: 't', settings, egressPolicy: undefined },
  });
}

describe('the outbox', () => {
  let postgres: Postgres;

  before(async () => {
    const { databaseUrl } = await newInstallation();
    await migrate(databaseUrl, migrationsFolder);
    postgres = createPostgres({
      url: databaseUrl,
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
  });

  afterEach(async () => {
    const { entries } = await readEntries(postgres, 1000, Number.MAX_SAFE_INTEGER);
    await deleteEntries(
      postgres,
      entries.map(({ id }) => id),
    );
  });

  after(() => postgres[Symbol.asyncDispose]());

  const read = async (limit: number, maxBytes: number) => {
    const { entries, more } = await readEntries(postgres, limit, maxBytes);
    return { records: entries.map(({ records }) => records.map(({ name }) => name)), more };
  };

  it('gives back what was appended, as it was, in its order', async () => {
    const records = [3, 1, 2].map((number) => record(number, number));
    await append(postgres, records);
    await append(postgres, [record(4, 0)]);
    const { entries, more } = await readEntries(postgres, 10, mebibyte);
    const given = entries.map((entry) => entry.records.map(({ name, value }) => ({ name, value })));
    expect(given).to.deep.equal([records, [record(4, 0)]]);
    expect(more).to.equal(false);
  });

  it('has an entry for each page, and none for no records', async () => {
    async function* pages() {
      yield [record(1, 0), record(2, 0)];
      yield [];
      yield [record(3, 0)];
    }
    await append(postgres, pages());
    await append(postgres, []);
    expect((await read(10, mebibyte)).records).to.deep.equal([['tenant:1', 'tenant:2'], ['tenant:3']]);
  });

  it('has no entry of more than 1000 records or 8 MiB, unless one record alone is larger', async () => {
    await append(
      postgres,
      Array.from({ length: 2001 }, (_, i) => record(i, 0)),
    );
    await append(
      postgres,
      [5, 2, 2, 9, 1].map((size, i) => record(i, size * mebibyte)),
    );
    const { records } = await read(100, Number.MAX_SAFE_INTEGER);
    expect(records.map(({ length }) => length)).to.deep.equal([1000, 1000, 1, 2, 1, 1, 1]);
    expect(records.slice(3).flat()).to.deep.equal([
      'tenant:0',
      'tenant:1',
      'tenant:2',
      'tenant:3',
      'tenant:4',
    ]);
  });

  it('gives no more than asked for, but always the oldest, and says that there may be more', async () => {
    for (const [number, size] of [5000, 10, 10, 5000].entries())
      await append(postgres, [record(number, size)]);
    const all = [['tenant:0'], ['tenant:1'], ['tenant:2'], ['tenant:3']];
    expect(await read(10, 1)).to.deep.equal({ records: all.slice(0, 1), more: true });
    expect(await read(10, record(0, 5000).value.length + 1)).to.deep.equal({
      records: all.slice(0, 2),
      more: true,
    });
    expect(await read(3, mebibyte)).to.deep.equal({ records: all.slice(0, 3), more: true });
    expect(await read(10, mebibyte)).to.deep.equal({ records: all, more: false });
  });
});
