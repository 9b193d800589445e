import type { ProxyRecord } from '@glovebox/published/records';

import { stepsOf } from '../resolve/proxy-invocation.ts';

const word = /[A-Za-z_$][\w$-]{0,39}/g;
const known = new WeakMap<ProxyRecord, ReadonlySet<string>>();

/**
 * The words of a version's transforms. A name of a member or header is shown only if it is one of them: any other could be a
 * value, and who may read a rollout may read these transforms anyway (contract/rollouts.md#shadow).
 */
function wordsOf(proxy: ProxyRecord): ReadonlySet<string> {
  let words = known.get(proxy);
  if (words === undefined) {
    const steps = [...stepsOf(proxy, 'request'), ...stepsOf(proxy, 'response')].map(
      ({ location }) => location,
    );
    const text = [proxy.requestTransformCode, proxy.responseTransformCode, ...steps].join('\n');
    const found = text.match(word) ?? [];
    known.set(proxy, (words = new Set([...found, ...found.map((one) => one.toLowerCase())])));
  }
  return words;
}

/** `*` for a name that may not be shown. */
export type ShownName = (name: string) => string;

export function shownNames(present: ProxyRecord, second: ProxyRecord): ShownName {
  const [a, b] = [wordsOf(present), wordsOf(second)];
  return (name) => (a.has(name) || b.has(name) ? name : '*');
}
