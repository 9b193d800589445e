import { randomUUID } from 'node:crypto';

import { generateApiKey, generateProxyKey, hashKey } from '@glovebox/access/api-key';
import { type WholeRequest, wholeRequest } from '@glovebox/platform/http/repeated-requests';
import { Proxy, Reactor } from '@glovebox/protos/published/v1/published';
import { applicationRecord, proxyRecord, reactorRecord, tenantRecord } from '@glovebox/published/keys';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import { recordsInMemory } from '@glovebox/published/records-in-memory';

/** A test number of the card schemes, which belongs to no card. */
export const cardNumber = '4242424242424242';
export const tokenId = randomUUID();

/** A tenant that only this process knows, and requests of it. */
export interface OwnTenant {
  readonly published: PublishedLookups;
  /** One for each path, and more for those that are used most. */
  readonly requests: readonly WholeRequest[];
}

const published = { maxEntries: 100, freshMs: 60_000, maxStaleMs: 60_000, retryAfterMs: 1000 };

/** @param destinationPort of 127.0.0.1 */
export function ownTenant(destinationPort: number): OwnTenant {
  const [tenantId, applicationId, reactorId] = [randomUUID(), randomUUID(), randomUUID()];
  const [apiKey, plainKey, codeKey] = [generateApiKey(), generateProxyKey(), generateProxyKey()];
  const destinationUrl = `http://127.0.0.1:${destinationPort}/orders`;
  const rule = {
    priority: 1,
    transform: 'reveal',
    permissions: ['token:use', 'token:read', 'token:create'],
    container: '/',
    conditions: [],
  };
  const proxy = { ...Proxy.decode(new Uint8Array()), tenantId, destinationUrl, requireAuth: true };
  const withCode = { ...proxy, id: randomUUID(), requestTransformCode: 'module.exports = (req) => req.args' };
  const reactor = { ...Reactor.decode(new Uint8Array()), id: reactorId, tenantId };
  const application = { id: applicationId, tenantId, type: 'private', permissions: [], rules: [rule] };
  const records = {
    [tenantRecord(tenantId)]: {
      $case: 'tenant',
      value: { id: tenantId, settings: {}, egressPolicy: undefined },
    },
    [applicationRecord(hashKey(apiKey))]: {
      $case: 'application',
      value: { ...application, session: undefined },
    },
    [proxyRecord(hashKey(plainKey))]: { $case: 'proxy', value: { ...proxy, id: randomUUID() } },
    [proxyRecord(hashKey(codeKey))]: { $case: 'proxy', value: withCode },
    [reactorRecord(reactorId)]: { $case: 'reactor', value: reactor },
  } as const;
  const headers = { 'Content-Type': 'application/json', 'SVC-API-KEY': apiKey };
  const toProxy = (key: string, card: string, more: Readonly<Record<string, string>> = {}) =>
    wholeRequest('POST', '/proxy/charges', { ...headers, 'SVC-PROXY-KEY': key, ...more }, orderWith(card));
  const post = (target: string, body: object) => wholeRequest('POST', target, headers, JSON.stringify(body));
  const most = ['', `{{${tokenId}}}`].flatMap((card) => [
    toProxy(plainKey, card || cardNumber),
    toProxy(plainKey, card || cardNumber, browserHeaders),
  ]);
  const others = [
    toProxy(codeKey, `{{${tokenId}}}`),
    post('/tokens', { type: 'token', data: cardNumber }),
    wholeRequest('GET', `/tokens/${tokenId}`, headers),
    post('/tokenize', { card: cardNumber }),
    post('/detokenize', { card: `{{${tokenId}}}` }),
    post(`/reactors/${reactorId}/react`, { args: { card: `{{${tokenId}}}` } }),
  ];
  return {
    published: recordsInMemory(records, published),
    requests: others.flatMap((other) => most.concat(most, other)),
  };
}

const browserHeaders = {
  Connection: 'keep-alive',
  Accept: 'application/json, text/plain, */*',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)',
  'Accept-Encoding': 'gzip, deflate, br',
};

/** About as large as requests with a card are. */
const orderWith = (card: string) =>
  JSON.stringify({ card, amount: 1099, currency: 'EUR', reference: 'warm-up', note: 'x'.repeat(400) });
