import { type Answer, type Json, type Sent, send } from './api.ts';
import type { Destination } from './destination.ts';
import type { Topology } from './topology.ts';
import { until } from './until.ts';

/** What the card is that the token stands for. */
export const plaintext = '4242424242424242';
/** For a destination to answer, or code to run: long enough to be under way when something stops. */
export const slowMs = 300;
export const aToken = { type: 'token', data: plaintext };

/** What requests of all kinds are about, and how they are sent. */
export interface Estate {
  /** By the application that may use tokens. */
  use(method: string, path: string, sent?: Omit<Sent, 'key'>): Promise<Answer>;
  manage(method: string, path: string, body?: object): Promise<Answer>;
  readonly tokenId: string;
  readonly reactorId: string;
  readonly plain: Json;
  readonly transformed: Json;
  /** A proxy that is changed again and again, and with what. */
  readonly changed: { readonly id: string; readonly body: object };
}

/** Makes all that; the destination then answers with what it was sent, slowly at `/slow`. */
export async function foundEstate(
  { url, tenant }: Pick<Topology, 'url' | 'tenant'>,
  destination: Destination,
): Promise<Estate> {
  const use: Estate['use'] = (method, path, sent) =>
    send(url, method, path, { ...sent, key: tenant.private_api_key });
  const manage: Estate['manage'] = (method, path, body) =>
    send(url, method, path, { key: tenant.management_api_key, ...(body && { body }) });
  const make = async (path: string, body: object) => made(await manage('POST', path, body));
  answerWithWhatComes(destination);
  const proxy = { name: 'topology', destination_url: destination.url, require_auth: true };
  const transformed = {
    request_transform: { code: code('{ headers: {}, body: { card: req.args.body.card, added: true } }') },
  };
  const changed = {
    ...proxy,
    configuration: { KEY: 'sealed by the vault' },
    response_transform: { code: code('{ headers: {}, body: { changed: true } }') },
  };
  const { id: formula } = await make('/reactor-formulas', slowFormula);
  const reactor = { name: 'topology', configuration: {}, formula: { id: formula } };
  const toChange = await make('/proxies', proxy);
  // Each runner makes a process for the first code that it looks at.
  const change = async () => (await manage('PUT', `/proxies/${toChange.id}`, changed)).status === 200;
  const changeAtOnce = async () =>
    (await Promise.all([change(), change(), change(), change()])).every(Boolean);
  await until('every runner looks at code', changeAtOnce, 60_000);
  return {
    use,
    manage,
    tokenId: made(await use('POST', '/tokens', { body: aToken })).id,
    reactorId: (await make('/reactors', reactor)).id,
    plain: await make('/proxies', proxy),
    transformed: await make('/proxies', { ...proxy, ...transformed }),
    changed: { id: toChange.id, body: changed },
  };
}

const code = (text: string) => `module.exports = async (req) => (${text})`;

const slowFormula = {
  name: 'topology',
  type: 'private',
  code: `module.exports = async (req) => {
    await new Promise((resolve) => setTimeout(resolve, req.args.ms));
    return { raw: { said: req.args.card } };
  }`,
  request_parameters: [
    { name: 'card', type: 'string' },
    { name: 'ms', type: 'number' },
  ],
};

function answerWithWhatComes(destination: Destination): void {
  destination.answer = ({ url, body }, response) => {
    const text = JSON.stringify({ received: body.toString() });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
    if (url !== '/slow') return response.end(text);
    response.write(text.slice(0, 5));
    return setTimeout(() => response.end(text.slice(5)), slowMs);
  };
}

function made({ status, json, text }: Answer): Json {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${text}`);
  return json;
}
