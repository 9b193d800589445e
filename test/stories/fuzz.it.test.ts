import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';
import fc from 'fast-check';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Answer, type Json, apiOf, send } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type FuzzRequest, fuzzRequest } from '../harness/fuzz/requests.ts';
import { type PublicOperation, operationsOf } from '../harness/public-operations.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const document = readOpenApiDocument();
/** The tenant itself stays, for all that follows. */
const operations = operationsOf(document).filter(
  ({ path, method }) => `${method} ${path}` !== 'delete /tenants/self',
);
const requestsAtOnce = 8;
const batches = Number(process.env['FUZZ_BATCHES'] ?? 2550);
const seed = Number(process.env['FUZZ_SEED'] ?? 4);
/** Far beyond what any of them takes, and short of waiting for ever. */
const patienceMs = 20_000;

/**
 * Requests that the description allows, nearly allows, and does not: more than 20,000 of them, the same each time.
 * FUZZ_SEED makes others of them, FUZZ_BATCHES more.
 */
describe('the whole surface, fuzzed', () => {
  let system: System;
  let destination: Destination;
  let keys: { readonly management: string; readonly private: string; readonly foreign: string };
  let proxyKey: string;
  let reactorId: string;
  let known: Map<string, string[]>;
  const canary = `canary${process.hrtime.bigint()}`;

  before(async () => {
    system = await sharedSystem();
    destination = await startDestination();
    const api = apiOf(system);
    const { management_api_key: management } = await anotherTenant(system, 'fuzzed');
    const make = async (path: string, body: object, key = management): Promise<Json> =>
      (await api.send('POST', path, { key, body })).json;
    // Nothing is revealed to this one: what it is shown is masked.
    const permissions = ['create', 'read', 'search', 'update', 'delete', 'use'].map(
      (verb) => `token:${verb}`,
    );
    const own = await make('/applications', { name: 'fuzz', type: 'private', permissions });
    keys = { management, private: own.key, foreign: system.dev.private_api_key };
    proxyKey = (await make('/proxies', { name: 'fuzz', destination_url: destination.url })).key;
    const code = 'module.exports = async () => ({ raw: { fine: true } });';
    const formula = await make('/reactor-formulas', { name: 'fuzz', type: 'private', code });
    reactorId = (await make('/reactors', { name: 'fuzz', configuration: {}, formula: { id: formula.id } }))
      .id;
    known = new Map();
    for (const [index, type] of ['token', 'token', 'token'].entries())
      remember('/tokens', await make('/tokens', { type, data: { text: canary, index } }, own.key));
  });
  after(() => destination[Symbol.asyncDispose]());

  const remember = (path: string, { id }: Json) => {
    const ids = known.get(path) ?? [];
    known.set(path, [...ids, id as string].slice(-30));
  };

  const targetOf = ({ operation, parameters, query, choice }: FuzzRequest): string => {
    const collection = operation.path.slice(0, Math.max(0, operation.path.indexOf('/{')));
    const runs = /\/(react|react-async|results|invocations)\b/.test(operation.path);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const given = parameters[name];
      if (given !== undefined) return given;
      if (runs && name === 'id') return reactorId;
      const ids = known.get(name === 'child_id' ? '/tokens' : collection) ?? [];
      return encodeURIComponent(ids[choice % ids.length] ?? '00000000-0000-4000-8000-000000000000');
    });
    return path + query;
  };

  const keyOf = ({ key, operation }: FuzzRequest): string | undefined => {
    if (key === 'none') return undefined;
    if (key === 'unknown') return 'key_1111111111111111111111';
    const [own, other] = isOfTokens(operation)
      ? [keys.private, keys.management]
      : [keys.management, keys.private];
    return key === 'own' ? own : other;
  };

  const perform = async (request: FuzzRequest): Promise<void> => {
    const { operation, headers, body } = request;
    const key = keyOf(request);
    const isProxy = /^\/proxy(\/|$)/.test(operation.path);
    const target = targetOf(request);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`${operation.method} ${target} hangs`)), patienceMs);
    const sent = send(system.dev.base_url, operation.method.toUpperCase(), target, {
      headers: { ...headers, ...(isProxy ? { 'SVC-PROXY-KEY': proxyKey } : {}) },
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    });
    const answer = await Promise.race([sent, late.promise]).finally(() => clearTimeout(timer));
    expectFine(operation, answer);
    if (answer.status === 201 && typeof answer.json?.id === 'string') remember(operation.path, answer.json);
  };

  const expectFine = ({ method, path }: PublicOperation, { status, text }: Answer) => {
    expect(status, `${method} ${path}: ${text}`).to.be.lessThan(500);
    expect(text, `${method} ${path}`).to.not.contain(canary);
  };

  it('never gives a 5xx, hangs, or tells what it should not, and answers as it is described', async function () {
    this.timeout(600_000);
    const batch = fc.array(fuzzRequest(document, operations), {
      minLength: requestsAtOnce,
      maxLength: requestsAtOnce,
    });
    const property = fc.asyncProperty(batch, async (requests) => {
      await Promise.all(requests.map(perform));
    });
    await fc.assert(property, { numRuns: batches, seed, endOnFailure: true });
  });
});

function isOfTokens({ permission, path }: PublicOperation): boolean {
  return permission.includes('token:') || path.startsWith('/sessions/');
}
