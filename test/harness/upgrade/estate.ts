import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { DevelopmentTenant } from '@glovebox/local/settings';

import type { Json } from '../api.ts';
import { until } from '../until.ts';
import type { Call, Sent } from './edge.ts';

/** Something that a user does; it throws when anything about the answers is not as it should be. */
type Deed = () => Promise<void>;

export interface Estate {
  /** What was made is there, and works as when it was made. */
  readonly stillWorks: Readonly<Record<string, Deed>>;
  /** What users do with it, and make, all the time. */
  readonly use: Readonly<Record<string, Deed>>;
}

/** @throws Error when the answer has another status */
type Ask = (status: number, method: string, path: string, sent?: Sent) => Promise<Json>;

interface Caller {
  readonly call: Call;
  readonly tenant: DevelopmentTenant;
  readonly manage: Ask;
  readonly own: Ask;
  readonly destinationUrl: string;
}

const data = { number: '4242424242424242', holder: 'Ada' };
const configuration = { NAME: 'a secret' };

/**
 * Makes something of everything that is stored: tokens, proxies with code and configuration, reactors, results, webhooks.
 * @param destinationUrl of a server that answers with the body that it got
 */
export async function foundEstate(
  call: Call,
  tenant: DevelopmentTenant,
  destinationUrl: string,
): Promise<Estate> {
  const asking: (key: string) => Ask = (key) => async (status, method, path, sent) => {
    const answer = await call(method, path, { key, ...sent });
    if (answer.status === status) return answer.json;
    throw new Error(`${method} ${path} was answered ${answer.status}, not ${status}: ${answer.text}`);
  };
  const manage = asking(tenant.management_api_key);
  const caller = { call, tenant, destinationUrl, manage, own: asking(tenant.private_api_key) };
  const tokens = await foundTokens(caller);
  const proxies = await foundProxies(caller, tokens.id);
  const reactors = await foundReactors(caller, tokens.id);
  const body = { name: 'upgraded', url: 'https://example.org', events: ['reactor.failed'] };
  const webhook = await manage(201, 'POST', '/webhooks', { body });
  return {
    stillWorks: {
      ...tokens.stillWorks,
      ...proxies.stillWorks,
      ...reactors.stillWorks,
      'its webhooks are there': async () =>
        same((await manage(200, 'GET', `/webhooks/${webhook.id}`)).name, 'upgraded'),
      'its logs are shown': async () => same((await manage(200, 'GET', '/logs?size=1')).data.length, 1),
    },
    use: { ...tokens.use, ...proxies.use, ...reactors.use },
  };
}

async function foundTokens({ own }: Caller): Promise<Estate & { readonly id: string }> {
  const make = (body: object, headers = {}) => own(201, 'POST', '/tokens', { headers, body });
  const open = async (id: string) => (await own(200, 'GET', `/tokens/${id}`)).data;
  const { id } = await make({ type: 'token', data, metadata: { of: 'upgrade' } });
  const card = { number: data.number, expiration_month: 12, expiration_year: 2030 };
  const { id: cardId } = await make({ type: 'card', data: card });
  const keyed = [{ type: 'token', data: 'once' }, { 'SVC-IDEMPOTENCY-KEY': randomUUID() }] as const;
  const once = await make(...keyed);
  return {
    id,
    stillWorks: {
      'its tokens open': async () => same(await open(id), data),
      'its cards open': async () => same((await open(cardId)).number, data.number),
      'its tokens are found': async () => {
        const found = await own(200, 'POST', '/tokens/search', { body: { query: 'metadata.of:upgrade' } });
        same(
          found.data.map((each: Json) => each.id),
          [id],
        );
      },
      'its answers to idempotency keys are given again': async () => same((await make(...keyed)).id, once.id),
    },
    use: {
      'a token is opened': async () => same(await open(id), data),
      'a token is made, opened and deleted': async () => {
        const made = await make({ type: 'token', data });
        same(await open(made.id), data);
        await own(204, 'DELETE', `/tokens/${made.id}`);
      },
    },
  };
}

const doubles = `module.exports = async ({ args: { body, headers } }) => ({ body: { ...body, twice: body.n * 2 }, headers })`;
const signs = `module.exports = async ({ args: { body, headers }, configuration }) =>
  ({ body: { ...body, by: configuration.NAME }, headers })`;

async function foundProxies({ manage, own, destinationUrl }: Caller, token: string): Promise<Estate> {
  const make = (more: object) => {
    const body = { name: 'upgraded', destination_url: destinationUrl, configuration, ...more };
    return manage(201, 'POST', '/proxies', { body });
  };
  const invoke = (key: string) => {
    const body = { n: 21, holder: `{{ ${token} | json: '$.holder' }}` };
    return own(200, 'POST', '/proxy', { headers: { 'SVC-PROXY-KEY': key }, body });
  };
  const proxy = await make({ request_transform: { code: doubles }, response_transform: { code: signs } });
  const works = async () =>
    same(await invoke(proxy.key), { n: 21, holder: 'Ada', twice: 42, by: configuration.NAME });
  return {
    stillWorks: { 'its proxies with code and configuration work': works },
    use: {
      'a proxy with code is invoked': works,
      'a proxy is made, invoked and deleted': async () => {
        const made = await make({});
        same(await invoke(made.key), { n: 21, holder: 'Ada' });
        await manage(204, 'DELETE', `/proxies/${made.id}`);
      },
    },
  };
}

const formula = {
  type: 'private',
  name: 'upgraded',
  code: `module.exports = async ({ args, configuration }) => ({ raw: { number: args.card.number, by: configuration.NAME } })`,
  configuration: [{ name: 'NAME', type: 'string' }],
  request_parameters: [{ name: 'card.number', type: 'string' }],
};

async function foundReactors({ call, tenant, manage, own }: Caller, token: string): Promise<Estate> {
  const { id: formulaId } = await manage(201, 'POST', '/reactor-formulas', { body: formula });
  const body = { name: 'upgraded', formula: { id: formulaId }, configuration };
  const path = `/reactors/${(await manage(201, 'POST', '/reactors', { body })).id}`;
  const sent = { body: { args: { card: `{{ ${token} }}` } } };
  const expected = { number: data.number, by: configuration.NAME };
  const react = async () => same((await own(200, 'POST', `${path}/react`, sent)).raw, expected);
  const reactLater = async (): Promise<string> =>
    (await own(202, 'POST', `${path}/react-async`, sent)).asyncReactorRequestId;
  const resultIsRight = async (request: string) => {
    const result = `${path}/results/${request}`;
    for (let asked = 0; asked < 400; asked += 1) {
      if ((await call('GET', result, { key: tenant.private_api_key })).status !== 404) break;
      await pause(50);
    }
    same((await own(200, 'GET', result)).raw, expected);
  };
  const earlier = await reactLater();
  await resultIsRight(earlier);
  const change = { key: tenant.management_api_key, body: formula };
  return {
    stillWorks: {
      'its reactors work': react,
      'its results are kept': () => resultIsRight(earlier),
      // The first look at code that a runner takes begins with the start of a process.
      'its code can be changed': () =>
        until('a runner has looked at it', async () => {
          return (await call('PUT', `/reactor-formulas/${formulaId}`, change)).status === 200;
        }),
    },
    use: {
      'a reactor is invoked': react,
      'a reactor is invoked asynchronously': async () => resultIsRight(await reactLater()),
    },
  };
}

function same(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`it is ${one}, not ${other}`);
}
