import { setTimeout as delay } from 'node:timers/promises';

export interface KnownProxy {
  readonly id: string;
  readonly key: string;
}

/** Some hundred requests a second, so that a gap shows; not so many that they are what is measured. */
const callers = 8;
const pauseMs = 20;

/** Sends requests through all gateways and proxies in turn until it ends. */
export function steadyRequests(
  gateways: readonly string[],
  apiKey: string,
  proxies: readonly KnownProxy[],
): { end(): Promise<{ readonly sent: number; readonly failed: number }> } {
  const result = { sent: 0, failed: 0 };
  const over = new AbortController();
  const caller = async (first: number) => {
    for (let nth = first; !over.signal.aborted; nth += callers) {
      const headers = { 'SVC-API-KEY': apiKey, 'SVC-PROXY-KEY': proxies[nth % proxies.length]?.key ?? '' };
      const status = await fetch(`${gateways[nth % gateways.length]}/proxy`, { headers })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      result.sent += 1;
      if (status !== 200) result.failed += 1;
      await delay(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, (_, first) => caller(first)));
  return {
    async end() {
      over.abort();
      await all;
      return result;
    },
  };
}
