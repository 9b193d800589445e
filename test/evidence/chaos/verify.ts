import { apiOf } from '../../harness/api.ts';
import type { System } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';
import type { Ledger } from './ledger.ts';

/** What the ledger says has to be there, looked for. */
export interface Verified {
  readonly lost: readonly string[];
  readonly halfPublished: readonly string[];
  readonly sentTwice: readonly string[];
}

/** Changes that callers send at the same time may be carried out in any order. */
const underWay = 6;

export async function verify(system: System, ledger: Ledger): Promise<Verified> {
  const api = apiOf(system);
  const key = system.dev.private_api_key;
  const lost: string[] = [];
  const halfPublished = [...ledger.torn];
  for (const [id, data] of ledger.tokens) {
    const { status, json } = await api.send('POST', '/detokenize', { key, body: { data: `{{ ${id} }}` } });
    if (status !== 200 || json.data !== data) lost.push(`token ${id}: ${status}`);
  }
  const { counted, version } = ledger;
  const { json: token } = await api.send('GET', `/tokens/${counted.id}`, { key });
  const count = Number(token.metadata?.count ?? 0);
  if (count < counted.acknowledged - underWay || count > counted.sent)
    lost.push(`the count is ${count}, ${counted.acknowledged} was acknowledged`);
  const { json: proxy } = await api.manage('GET', `/proxies/${version.id}`);
  const stored = Number(/\d+$/.exec(String(proxy.name))?.[0]);
  if (!(stored >= version.acknowledged - underWay && stored <= version.sent))
    lost.push(`the version is ${proxy.name}, ${version.acknowledged} was acknowledged`);
  const path = /\/v(\d+)$/.exec(String(proxy.destination_url))?.[1];
  if (path !== String(stored)) halfPublished.push(`version ${stored} sends to ${path}`);
  for (const proxy of ledger.proxies) {
    const { status } = await api.manage('GET', `/proxies/${proxy.id}`);
    if (status !== 200) lost.push(`proxy ${proxy.id}: ${status}`);
    const invoked = await api.invoke(proxy.key, 'POST', '', { body: {} });
    if (invoked.status !== 200)
      halfPublished.push(`proxy ${proxy.id} answers ${invoked.status} ${invoked.text}`);
  }
  for (const path of ledger.accepted) {
    await until(
      `${path} has a result`,
      async () => (await api.send('GET', `/reactors/${path}`, { key })).status !== 404,
      60_000,
    ).catch(() => lost.push(`the result of ${path}`));
  }
  return { lost, halfPublished, sentTwice: ledger.duplicates };
}
