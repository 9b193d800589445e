import type { Queryable } from '@glovebox/platform/postgres';
import { context, traceparentOf } from '@glovebox/platform/tracing';

import type { NamedRecord } from './record.ts';

/** Bounds what one Redis script has to do, and so for how long Redis answers nobody else. */
const maxRecordsPerEntry = 1000;

/** Has records published once the transaction commits: the only way in which anything gets published. */
export async function append(tx: Queryable, records: readonly NamedRecord[]): Promise<void> {
  const traceparent = traceparentOf(context.active()) ?? null;
  for (let start = 0; start < records.length; start += maxRecordsPerEntry) {
    const part = records.slice(start, start + maxRecordsPerEntry);
    await tx.query(
      'append-to-outbox',
      'INSERT INTO outbox (record_names, record_values, traceparent) VALUES ($1, $2, $3)',
      [part.map((record) => record.name), part.map((record) => record.value), traceparent],
    );
  }
}
