import type { PublishedRecord } from '@glovebox/protos/published/v1/published';
import { decodeRecord, encodeRecord } from '@glovebox/published/codec';
import type { RecordName } from '@glovebox/published/keys';

/** One record as Redis stores it. */
export interface NamedRecord {
  readonly name: RecordName;
  readonly value: Buffer;
}

/** Records that are too many to be held at once. */
export type RecordPages = AsyncIterable<readonly NamedRecord[]>;

export function namedRecord(
  name: RecordName,
  version: number,
  record: NonNullable<PublishedRecord['record']>,
): NamedRecord {
  return { name, value: encodeRecord({ version, record }) };
}

/** Marks a record as deleted, so that an older version cannot restore it. */
export function tombstone(name: RecordName, version: number): NamedRecord {
  return namedRecord(name, version, { $case: 'tombstone', value: {} });
}

export function isTombstone(record: NamedRecord): boolean {
  return decodeRecord(record.value).record?.$case === 'tombstone';
}

/** Of each name the record with the largest version, and of equal ones the first: no reader could see the others. */
export function latestRecords(records: readonly NamedRecord[]): readonly NamedRecord[] {
  const latest = new Map<RecordName, NamedRecord>();
  for (const record of records) {
    const known = latest.get(record.name);
    if (known === undefined || versionOf(known) < versionOf(record)) latest.set(record.name, record);
  }
  return latest.size === records.length ? records : [...latest.values()];
}

/** What a value begins with (packages/published/src/codec.ts). */
function versionOf({ value }: NamedRecord): number {
  return Number(value.toString('latin1', 0, value.indexOf(':')));
}

/** Of a proxy or reactor, or its rollout: empty for none. Undefined for other records. */
export function applicationNamedBy(value: Uint8Array): string | undefined {
  const { record } = decodeRecord(value);
  if (record?.$case === 'proxyRollout') return record.value.proxy?.applicationId ?? '';
  if (record?.$case === 'reactorRollout') return record.value.reactor?.applicationId ?? '';
  return record?.$case === 'proxy' || record?.$case === 'reactor' ? record.value.applicationId : undefined;
}

const rowsPerPage = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Reads rows by id, page by page, and yields the records of each page. */
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
