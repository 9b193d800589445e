import type { ProxyRecord, ProxyRolloutRecord } from '@glovebox/published/records';
import { getsSecond } from '@glovebox/published/rollout-choice';

import type { Exchange } from '../../http/exchange.ts';
import type { ResolvedProxy } from './resolve.ts';

/** The version of a proxy with a rollout that serves a request (contract/rollouts.md#who-gets-which-version). */
export function chooseVersion(
  { request }: Pick<Exchange, 'request'>,
  present: ProxyRecord,
  { id, ended, percent, shadowPercent, header, proxy: second }: ProxyRolloutRecord,
): Pick<ResolvedProxy, 'proxy' | 'rolloutId' | 'shadow'> {
  if (ended) return { proxy: present };
  const value = header === '' ? undefined : request.headers[header]?.toString();
  const share = { percent: shadowPercent ?? percent, header };
  const isSecond = getsSecond({ subjectId: present.id, version: second.version, ...share }, value);
  if (shadowPercent !== undefined)
    return { proxy: present, rolloutId: id, shadow: isSecond ? second : undefined };
  return { proxy: isSecond ? second : present, rolloutId: id };
}
