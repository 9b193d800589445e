import { apiOf } from '../../../test/harness/api.ts';
import type { System } from '../../../test/harness/system.ts';
import type { Job } from './job.ts';

/** What a neighbour does all the time, by its name. */
export type Batches = Readonly<Record<string, Job>>;

const json = { 'Content-Type': 'application/json' };
/** Another text each time, so that nothing of it has been read before. */
const variants = 60;
const list = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));

/** Each as dear as a tenant's batch can be without being refused. */
export async function createBatches(system: System, destinationUrl: string): Promise<Batches> {
  const api = apiOf(system);
  const origin = system.dev.service_urls['proxy-gateway'] ?? '';
  const keyed = { ...json, 'SVC-API-KEY': system.dev.private_api_key };
  const { key } = await api.proxy(destinationUrl);
  const small = await api.token({ type: 'token', data: 'a'.repeat(60_000) });
  const large = await api.token({ type: 'token', data: list(70_000, (at) => ({ [at.toString(36)]: 1 })) });
  const container = '/neighbour/';
  for (let at = 0; at < 100; at += 1) {
    const data = list(500, (nth) => ({ a: at * nth }));
    await api.token({ type: 'token', data, mask: '{{ data[0].a }}', containers: [container] });
  }
  const job = (method: string, path: string, callers: number, bodies: readonly string[]): Job => ({
    origin,
    method,
    path,
    headers: path === '/proxy' ? { ...keyed, 'SVC-PROXY-KEY': String(key) } : keyed,
    bodies,
    callers,
  });
  const expressions = (at: number) =>
    JSON.stringify(
      list(
        40,
        (nth) => `{{ ${small} | replace: '${'a'.repeat(60)}b', 'x' | size | plus: ${at * 40 + nth} }}`,
      ),
    );
  const paths = (at: number) =>
    JSON.stringify(list(2, (nth) => `{{ ${large} | json: '$..*' | size | plus: ${at * 2 + nth} }}`));
  const body = (at: number) =>
    JSON.stringify({
      at,
      expression: `{{ ${small} | size }}`,
      rows: list(60_000, (nth) => ({ nth, text: 'twenty characters...' })),
    });
  return {
    'dear expressions': job('POST', '/detokenize', 4, list(variants, expressions)),
    'paths through large tokens': job('POST', '/detokenize', 4, list(variants, paths)),
    'pages of masked tokens': job(
      'GET',
      `/tokens?size=100&container=${encodeURIComponent(container)}`,
      4,
      [],
    ),
    'tokens, a hundred at a time': job(
      'POST',
      '/tokenize',
      4,
      list(variants, (at) => JSON.stringify(list(100, (nth) => ({ type: 'token', data: { at, nth } })))),
    ),
    'bodies of 2 MB with an expression': job('POST', '/proxy', 4, list(8, body)),
    'small uses, many at once': job('POST', '/detokenize', 64, [JSON.stringify([`{{ ${small} | size }}`])]),
  };
}
