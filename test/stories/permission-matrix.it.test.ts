import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Answer, type Json, type Sent, apiOf, send } from '../harness/api.ts';
import { type Estate, foundEstate, invokeInVain, unlikeAny } from '../harness/estate.ts';
import { type PublicOperation, operationsOf } from '../harness/public-operations.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { withoutTrace } from '../harness/without-trace.ts';

const operations = operationsOf(readOpenApiDocument()).filter(({ permission }) => permission !== 'none');
const named = (one: PublicOperation) => `${one.method.toUpperCase()} ${one.path}`;
const isProxy = ({ path }: PublicOperation) => path === '/proxy' || path.startsWith('/proxy/');
/** Whose resource it is about is in the request. */
const isAboutOne = (one: PublicOperation) =>
  isProxy(one) || (one.path.includes('{') && !one.path.startsWith('/application-templates'));
const permissionsOf = ({ permission }: PublicOperation) =>
  permission === 'any-key' ? [] : permission.split(',');

/** Every operation of the described API, against every way in which a caller may not perform it. */
describe('the permission matrix', () => {
  let system: System;
  let estate: Estate;
  let untouched: Json;
  let kinds: ReadonlyMap<string, readonly string[]>;
  let neighbour: { managementKey: string; privateKey: string };
  /** Of applications that can do all that they ever could: one that expires, and one that may make such. */
  let boundKey: string;
  let sessions: { unauthorizedKey: string; elsewhereKey: string };
  let unusual: { expiringKey: string; makerKey: string };

  before(async () => {
    system = await sharedSystem();
    estate = await foundEstate(system, { '/invocations': await invokeInVain(system) });
    untouched = await estate.look();
    const api = apiOf(system);
    const { json } = await api.send('GET', '/permissions', { key: system.dev.management_api_key });
    kinds = new Map(json.map((one: Json) => [one.type, one.application_types]));
    const other = await anotherTenant(system, 'the neighbour');
    const model = { name: 'all', type: 'private', permissions: held('private') };
    const made = await api.send('POST', '/applications', { key: other.management_api_key, body: model });
    neighbour = { managementKey: other.management_api_key, privateKey: made.json.key };
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const expiring = { name: 'expires', type: 'expiring', permissions: held('expiring'), expires_at };
    const maker = { ...model, can_create_expiring_applications: true };
    const rule = {
      description: 'bound',
      priority: 1,
      container: '/',
      transform: 'reveal',
      permissions: ['token:use'],
    };
    const bound = { ...model, permissions: [], rules: [{ ...rule, destinations: ['api.example.com'] }] };
    boundKey = (await api.application(bound)).key;
    sessions = { unauthorizedKey: (await session()).session_key, elsewhereKey: await sessionElsewhere() };
    unusual = {
      expiringKey: (await api.application(expiring)).key,
      makerKey: (await api.application(maker)).key,
    };
  });

  const session = async (): Promise<Json> =>
    (await apiOf(system).send('POST', '/sessions', { key: system.dev.public_api_key })).json;

  /** Of a session that may do all that a session can, in a container that holds nothing. */
  const sessionElsewhere = async (): Promise<string> => {
    const { session_key, nonce } = await session();
    const permissions = ['create', 'read', 'update', 'search', 'use', 'delete'].map(
      (verb) => `token:${verb}`,
    );
    const rules = [
      { description: 'elsewhere', priority: 1, container: '/elsewhere/', transform: 'reveal', permissions },
    ];
    const authorized = await apiOf(system).send('POST', '/sessions/authorize', {
      key: system.dev.private_api_key,
      body: { nonce, rules },
    });
    expect(authorized.status, authorized.text).to.equal(200);
    return session_key;
  };
  const isForSessions = (one: PublicOperation) =>
    permissionsOf(one).some((name) => name.startsWith('token:'));

  /** All that a kind of application can hold, besides one. */
  const held = (kind: string, ...besides: readonly (string | undefined)[]): readonly string[] =>
    [...kinds]
      .filter(([name, types]) => types.includes(kind) && !besides.includes(name))
      .map(([name]) => name);
  const kindFor = (permission: string) =>
    kinds.get(permission)?.includes('management') ? 'management' : 'private';

  const ask = async (one: PublicOperation, key: string | undefined, foreign = estate): Promise<Answer> => {
    const { target, headers, body } = foreign.request(one);
    const sent: Sent = {
      headers,
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    };
    return await send(system.dev.base_url, one.method.toUpperCase(), target, sent);
  };

  const expectRefusal = (one: PublicOperation, { status, json, text }: Answer, wanted: number) => {
    expect(status, text).to.equal(wanted);
    expect((isProxy(one) ? json.proxy_error : json).status).to.equal(wanted);
    for (const secret of estate.secrets) expect(text).to.not.contain(secret);
  };

  for (const one of operations) {
    it(`${named(one)} is refused without a key, and with one that there is not`, async () => {
      expectRefusal(one, await ask(one, undefined), 401);
      expectRefusal(one, await ask(one, 'key_1111111111111111111111'), 401);
    });
  }

  for (const one of operations.filter(({ permission }) => permission !== 'any-key')) {
    it(`${named(one)} is refused to an application that holds everything else`, async () => {
      for (const permission of permissionsOf(one)) {
        const type = kindFor(permission);
        const body = { name: 'lacks one', type, permissions: held(type, permission, one.orPermission) };
        const { key } = await apiOf(system).application(body);
        expectRefusal(one, await ask(one, key), 403);
      }
    });

    it(`${named(one)} is refused to an application of another kind`, async () => {
      const [permission = ''] = permissionsOf(one);
      const { management_api_key: management, private_api_key: own } = system.dev;
      const isManaging = kindFor(permission) === 'management';
      expectRefusal(one, await ask(one, isManaging ? own : management), 403);
      if (isManaging) expectRefusal(one, await ask(one, unusual.makerKey), 403);
      if (permission !== 'token:read') expectRefusal(one, await ask(one, unusual.expiringKey), 403);
    });
  }

  // What a proxy is sent by one that may use other tokens goes to its destination, and says nothing of what is here.
  for (const one of operations.filter((each) => each.permission !== 'any-key' && !isProxy(each))) {
    it(`${named(one)} is refused to a session that is not authorized, and to one that may do everything elsewhere`, async () => {
      const unauthorized = await ask(one, sessions.unauthorizedKey);
      expect(unauthorized.status, unauthorized.text).to.be.oneOf([401, 403]);
      const elsewhere = await ask(one, sessions.elsewhereKey);
      // What it is allowed elsewhere it may try, and is told of nothing that is here.
      const wanted = isForSessions(one) ? [200, 201, 202, 400, 403, 404] : [one.isOfGateway ? 403 : 401];
      expect(elsewhere.status, elsewhere.text).to.be.oneOf(wanted);
      for (const secret of estate.secrets) expect(elsewhere.text).to.not.contain(secret);
    });
  }

  const sendsValues = ({ permission, method }: PublicOperation) =>
    permission === 'token:use' && ['post', 'put', 'patch'].includes(method);
  for (const one of operations.filter(sendsValues)) {
    it(`${named(one)} is refused to an application whose rule lets values go elsewhere only`, async () => {
      const read = operations.find(({ path, method }) => path === '/tokens/{id}' && method === 'get');
      const id = estate
        .request(read as PublicOperation)
        .target.split('/')
        .at(-1);
      const { target, headers } = estate.request(one);
      const value = `{{ ${id} }}`;
      const answer = await send(system.dev.base_url, one.method.toUpperCase(), target, {
        key: boundKey,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: one.path.includes('react') ? { args: { value } } : { value },
      });
      expectRefusal(one, answer, 403);
      expect(answer.text).to.include('destination_not_bound').and.not.include('parent');
    });
  }

  for (const one of operations.filter(isAboutOne)) {
    it(`${named(one)} knows nothing of another tenant's, as of what there is not`, async () => {
      const [permission = ''] = permissionsOf(one);
      const key = kindFor(permission) === 'management' ? neighbour.managementKey : neighbour.privateKey;
      const foreign = await ask(one, key);
      expectRefusal(one, foreign, 404);
      const none = await ask(one, key, unlikeAny(estate));
      expect(none.status).to.equal(404);
      expect(withoutTrace(foreign.text)).to.equal(withoutTrace(none.text));
    });
  }

  it("takes no longer for what is another tenant's than for what there is not", async () => {
    const nowhere = unlikeAny(estate);
    const timed = async (work: () => Promise<unknown>) => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
    for (const path of ['/tokens/{id}', '/proxies/{id}']) {
      const one = operations.find((each) => each.path === path && each.method === 'get') as PublicOperation;
      const key = path.startsWith('/tokens') ? neighbour.privateKey : neighbour.managementKey;
      const times: { foreign: number[]; none: number[] } = { foreign: [], none: [] };
      for (let round = 0; round < 60; round += 1) {
        times.foreign.push(await timed(() => ask(one, key)));
        times.none.push(await timed(() => ask(one, key, nowhere)));
      }
      // Their difference drowns in what one request takes: nobody tells them apart by fewer than very many.
      expect(median(times.foreign) / median(times.none), path).to.be.within(0.5, 2);
    }
  });

  it('has left everything as it was', async () => {
    expect(await estate.look()).to.deep.equal(untouched);
  });
});
