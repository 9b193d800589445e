import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Call } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { type ProxyRow, proxyFields } from '../../proxies/fields.ts';
import { proxyEvent, publishedProxy } from '../../proxies/published.ts';
import { replaceProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import type { ChangeResult } from '../../publication/changes.ts';
import type { NamedRecord } from '../../publication/record.ts';
import { type Definition, changedSettings, isSameDefinition } from '../../versions/definition.ts';

/**
 * Stores what a write makes of a locked proxy: a new version, unless nothing of it changes.
 * @param number of the new version, if it is beyond that of the present one
 * @throws AppError `version_conflict`
 */
export async function changeProxy(
  tx: Queryable,
  { principal, ifMatch, comment }: Pick<Call, 'principal' | 'ifMatch' | 'comment'>,
  current: ProxyRow,
  definition: Definition<typeof proxyFields>,
  number?: number,
): Promise<ChangeResult<ProxyRow> & { readonly records: readonly NamedRecord[] }> {
  requireMatch(ifMatch, current.version);
  const modified = { modified_by: principal.applicationId, modified_at: new Date() };
  const same: ProxyRow = { ...current, ...definition, ...modified };
  if (isSameDefinition(proxyFields, current, same)) {
    await replaceProxy(tx, same);
    return { result: same, records: [], events: [proxyEvent('updated', same)] };
  }
  const isBeyond = number !== undefined && number > Number(current.version);
  const version = isBeyond ? String(number) : await proxyVersions.next(tx, current.id, current.version);
  const next: ProxyRow = { ...same, version };
  await proxyVersions.keep(tx, current.id);
  await replaceProxy(tx, next);
  const changed = changedSettings(current.sealed_configuration, next.sealed_configuration);
  await proxyVersions.keep(tx, current.id, { comment, changed });
  return { result: next, records: publishedProxy(next), events: [proxyEvent('updated', next)] };
}
