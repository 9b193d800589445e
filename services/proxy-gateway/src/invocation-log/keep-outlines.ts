import { andThen } from '@glovebox/platform/values/maybe-promise';
import { isKept } from '@glovebox/published/invocation-outline';
import type { OutlineWriter } from '@glovebox/published/outline-writer';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { RecentCounts } from '@glovebox/published/recent-counts';

import type { Exchange } from '../http/exchange.ts';
import { type Invoked, outcomeOf, outlineOf } from './outline-of.ts';

/**
 * Counts an invocation that has ended, and keeps its outline if it failed or logged, and of the others a share. Never
 * throws.
 */
export type KeepOutline = (this: void, exchange: Exchange, invoked: Invoked) => void;

export function outlineKeeper(
  published: Pick<PublishedRecords, 'tenantById'>,
  writer: Pick<OutlineWriter, 'add'>,
  counts: Pick<RecentCounts, 'noteInvocation'>,
): KeepOutline {
  return (exchange, invoked) => {
    const ended = { outcome: outcomeOf(exchange), logged: exchange.outlineNotes.logged };
    counts.noteInvocation(invoked.tenantId, invoked.subject, ended.outcome === 'failed');
    const keep = (settings: Readonly<Record<string, string>> | undefined) => {
      if (isKept(ended, settings)) writer.add(invoked.tenantId, outlineOf(exchange, invoked));
    };
    if (ended.logged || ended.outcome !== 'succeeded') return keep(undefined);
    const decided = andThen(published.tenantById(invoked.tenantId), (tenant) => keep(tenant?.settings));
    // Without the tenant's record, its requests are not served either.
    if (decided instanceof Promise) decided.catch(() => undefined);
  };
}
