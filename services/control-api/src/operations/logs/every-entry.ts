import type { Queryable } from '@glovebox/platform/db/postgres';

import { type LogEntry, type LogFilter, type Place, behind, compare } from '../../audit/log-entry.ts';
import { selectEntries } from '../../audit/store.ts';
import type { AuditSource } from '../../audit/vault-sources.ts';

interface Logs {
  readonly postgres: Queryable;
  readonly audit: AuditSource;
}

const pageSize = 1000;
const newest: Place = { at: Number.MAX_SAFE_INTEGER, source: 'vault', id: 0 };

/** Both logs as one, newest first, page by page: each entry is read once, and two pages at most are in memory. */
export async function* everyEntry(
  { postgres, audit }: Logs,
  filter: LogFilter,
  correlationId: string,
): AsyncGenerator<LogEntry> {
  const managed = entriesOf((after) => selectEntries(postgres, filter, behind(after, 'control'), pageSize));
  const audited = entriesOf((after) => audit.list(filter, behind(after, 'vault'), pageSize, correlationId));
  let [one, other] = await Promise.all([managed.next(), audited.next()]);
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && compare(one.value, other.value) < 0)) {
      if (one.done === true) return;
      yield one.value;
      one = await managed.next();
    } else {
      yield other.value;
      other = await audited.next();
    }
  }
}

async function* entriesOf(
  read: (after: Place) => Promise<readonly LogEntry[]>,
): AsyncGenerator<LogEntry, undefined> {
  let after = newest;
  for (;;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return undefined;
    after = last;
  }
}
