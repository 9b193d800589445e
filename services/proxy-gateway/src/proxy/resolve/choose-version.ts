import type { ProxyRecord, ProxyRolloutRecord } from '@glovebox/published/records';
import { getsSecond } from '@glovebox/published/rollout-choice';

import type { Exchange } from '../../http/exchange.ts';
import type { ResolvedProxy } from './resolve.ts';

/** The version of a proxy with a rollout that serves a request (contract/rollouts.md#who-gets-which-version). */
export function chooseVersion(
  { request }: Pick<Exchange, 'request'>,
  present: ProxyRecord,
  { id, ended, percent, header, proxy: second }: ProxyRolloutRecord,
): Pick<ResolvedProxy, 'proxy' | 'rolloutId'> {
  if (ended) return { proxy: present };
  const value = header === '' ? undefined : request.headers[header]?.toString();
  const chosen = { subjectId: present.id, version: second.version, percent, header };
  return { proxy: getsSecond(chosen, value) ? second : present, rolloutId: id };
}
