import type { Queryable } from '@glovebox/platform/db/postgres';
import { context, traceparentOf } from '@glovebox/platform/telemetry/tracing';

import type { NamedRecord, RecordPages } from './record.ts';

/** These bound what one Redis script has to do, and so for how long Redis answers nobody else. */
const maxRecordsPerEntry = 1000;
const maxBytesPerEntry = 8 * 1024 * 1024;

/** Has records published once the transaction commits: the only way in which anything gets published. */
export async function append(tx: Queryable, records: readonly NamedRecord[] | RecordPages): Promise<void> {
  for await (const page of Symbol.asyncIterator in records ? records : [records]) {
    for (const part of inParts(page)) await appendEntry(tx, part);
  }
}

async function appendEntry(tx: Queryable, records: readonly NamedRecord[]): Promise<void> {
  await tx.query(
    'append-to-outbox',
    'INSERT INTO outbox (record_names, record_values, bytes, traceparent) VALUES ($1, $2, $3, $4)',
    [
      records.map((record) => record.name),
      records.map((record) => record.value),
      records.reduce((sum, record) => sum + record.value.length, 0),
      traceparentOf(context.active()) ?? null,
    ],
  );
}

function* inParts(records: readonly NamedRecord[]): Iterable<readonly NamedRecord[]> {
  let part: NamedRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const full = part.length === maxRecordsPerEntry || bytes + record.value.length > maxBytesPerEntry;
    if (full && part.length > 0) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += record.value.length;
  }
  if (part.length > 0) yield part;
}
