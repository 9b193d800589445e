import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

/** contract/rollouts.md, over the whole system. */
describe('a rollout of a proxy', () => {
  const story = transformStory();
  const { post } = story;

  /** Code that says which version it is, what it is configured with, and as whom it acts. */
  const telling = (n: number) =>
    `module.exports = async ({ args, bt, configuration }) => {
       const { created_by } = await bt.tokenize({ type: 'token', data: 'x' });
       return { headers: args.headers, body: { n: ${n}, set: configuration.SET, by: created_by, in: args.body.in } };
     }`;
  const application = async (): Promise<string> => {
    const rules = [{ priority: 1, container: '/', transform: 'mask', permissions: ['token:create'] }];
    return (await story.api.application({ name: 'code', type: 'private', rules })).id;
  };
  const manage = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await story.api.manage(method, path, body);
    expect(answer.status, answer.text).to.be.within(200, 204);
    return answer.json;
  };
  /** A version that tells `n`, whichever way. */
  const version = (n: number, code: string, more: object = {}) => ({
    name: 'rolled out',
    destination_url: `${story.destination.url}/v${n}`,
    request_transform: { code },
    configuration: { SET: `to ${n}` },
    ...more,
  });
  const quick = (n: number) => `module.exports = () => ({ headers: {}, body: { n: ${n} } })`;
  /** A proxy of version 1, and its draft, version 2. */
  const start = async (code: (n: number) => string, more: (n: number) => object = () => ({})) => {
    const proxy = await manage('POST', '/proxies', version(1, code(1), more(1)));
    await manage('POST', `/proxies/${proxy.id}/versions`, version(2, code(2), more(2)));
    const path = `/proxies/${proxy.id}/rollout`;
    return { proxy, path, rollOut: (sent: object) => manage('PUT', path, { version: 2, ...sent }) };
  };
  /** What reached the destination by a request of this customer. */
  const tell = async (proxy: Json, customer: string): Promise<Json> => {
    const headers = { 'X-Customer': customer };
    const answer = await post(proxy, { headers, body: { in: '{{ config: SET }}' } }, `?c=${customer}`);
    expect(answer.status, answer.text).to.equal(200);
    const { url, body } = story.destination.received.find((one) => one.url.endsWith(`?c=${customer}`))!;
    return { ...JSON.parse(body.toString()), path: url.split('?')[0] };
  };

  it('runs each version as its own application, with its configuration and destination', async () => {
    const ids = [await application(), await application()];
    const { proxy, rollOut } = await start(telling, (n) => ({ application: { id: ids[n - 1] } }));
    await rollOut({ percent: 0, by: 'header:X-Customer' });
    const told = (n: number) => ({ n, set: `to ${n}`, in: `to ${n}`, by: ids[n - 1], path: `/v${n}` });
    expect(await tell(proxy, 'none')).to.deep.equal(told(1));
    await rollOut({ percent: 100, by: 'header:X-Customer' });
    expect(await tell(proxy, 'all')).to.deep.equal(told(2));
  });

  it('gives a share of hundreds of requests the second version, each customer the same one again', async () => {
    const { proxy, path, rollOut } = await start(quick);
    await rollOut({ percent: 30, by: 'header:x-customer' });
    const ask = async (customer: number): Promise<number> => {
      const headers = { 'X-Customer': `customer ${customer}` };
      const answer = await post(proxy, { headers, body: {} }, `?c=${customer}`);
      expect(answer.status, answer.text).to.equal(200);
      return customer;
    };
    const customers = Array.from({ length: 200 }, (_, n) => n);
    await Promise.all(customers.map(ask));
    const seconds = () =>
      new Set(story.destination.received.filter(({ url }) => url.startsWith('/v2')).map(({ url }) => url));
    const first = seconds();
    // Three standard deviations of 200.
    expect(first.size).to.be.within(40, 80);
    await Promise.all(customers.map(ask));
    expect(seconds()).to.deep.equal(first);
    await until('all are counted', async () => {
      const { versions } = await manage('GET', path);
      return versions[0].requests + versions[1].requests === 400;
    });
    const { versions } = await manage('GET', path);
    expect(versions[1]).to.include({ version: 2, requests: 2 * first.size, errors: 0 });
    expect(versions[1].p50_ms).to.be.greaterThan(0);
    expect(versions[1].p99_ms).to.be.at.least(versions[1].p50_ms);
  });

  it('from 0 to 100, complete and back fails no request under load', async () => {
    const { proxy, path, rollOut } = await start(quick);
    const send = async () => {
      const answer = await post(proxy);
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    };
    const load = new SteadyLoad({ kinds: { proxied: send } }, { callers: 6, pauseMs: 2 });
    const everybodyGets = (path: string) =>
      until(`everybody gets ${path}`, () => {
        const last = story.destination.received.slice(-20);
        return last.every(({ url }) => url.startsWith(path));
      });
    for (const percent of [0, 25, 75, 100]) {
      await rollOut({ percent });
      await load.goesOn(20);
    }
    await everybodyGets('/v2');
    expect((await manage('POST', `${path}/complete`)).state).to.equal('completed');
    await load.goesOn(20);
    await everybodyGets('/v2');
    await rollOut({ version: 1, percent: 50 });
    await load.goesOn(20);
    await manage('POST', `${path}/complete`);
    await load.goesOn(20);
    await everybodyGets('/v1');
    await rollOut({ percent: 50 });
    await load.goesOn(20);
    await story.api.manage('DELETE', path);
    await load.goesOn(20);
    await everybodyGets('/v1');
    await load.end();
    expect(load.failures).to.deep.equal([]);
  });

  it('ends by itself when the code of the second version fails', async () => {
    const code = (n: number) => (n === 1 ? quick(1) : `module.exports = () => { throw new Error('broken') }`);
    const { proxy, path, rollOut } = await start(code);
    await rollOut({ percent: 50, stop_when: { error_rate: 0.2, min_requests: 5 } });
    const load = new SteadyLoad({ kinds: { proxied: () => post(proxy) } }, { callers: 2, pauseMs: 20 });
    await until('it has stopped', async () => (await manage('GET', path)).state === 'stopped');
    await load.end();
    // The state is stored before it is published.
    const answered = async () => (await post(proxy)).status === 200;
    await until('everybody gets the present version', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, answered));
      return answers.every(Boolean);
    });
    const { reason, versions } = await manage('GET', path);
    expect(reason).to.equal('error_rate');
    expect(versions[0]).to.include({ version: 1, errors: 0 });
    expect(versions[1].errors).to.equal(versions[1].requests).and.be.at.least(5);
  });

  describe('that is a shadow', () => {
    const canary = 'canary-4111111111111111';
    const shadow = { percent: 100, mode: 'shadow' };
    const found = async (path: string): Promise<Json> => (await manage('GET', path)).shadow;
    const foundAfter = async (path: string, count: number): Promise<Json> => {
      await until(`${count} are compared`, async () => (await found(path)).compared === count);
      return found(path);
    };

    it('gives no answers, and shows where the results differ without a value', async () => {
      const code = (n: number) => `module.exports = ({ args, configuration }) => ({
        headers: args.headers,
        body: {
          ...${n} === 1 ? args.body : Object.fromEntries(Object.keys(args.body).map((name) => [name, 2])),
          total: ${n}, set: configuration.SET, same: configuration.SAME,
        },
      })`;
      const { proxy, path, rollOut } = await start(code, (n) => ({
        configuration: { SET: `${canary} ${n}`, SAME: canary },
      }));
      expect(await rollOut(shadow)).to.deep.include({
        ...shadow,
        shadow: { compared: 0, equal: 0, skipped: 0, differences: [] },
      });
      const body = { [canary]: canary, 'john.smith': {} };
      for (let n = 0; n < 3; n += 1) expect((await post(proxy, { body })).status).to.equal(200);
      const shown = await foundAfter(path, 3);
      expect(shown).to.deep.equal({
        compared: 3,
        equal: 0,
        skipped: 0,
        differences: [
          { path: '/request/body/*', kind: 'type', count: 3 },
          { path: '/request/body/set', kind: 'value', count: 3 },
          { path: '/request/body/total', kind: 'value', count: 3 },
        ],
      });
      const received = story.destination.received.map(({ url, body: sent }) => [
        url,
        JSON.parse(String(sent)).total,
      ]);
      expect(received).to.deep.equal(Array.from({ length: 3 }, () => ['/v1', 1]));
      const { versions } = await manage('GET', path);
      expect(versions[0]).to.include({ version: 1, requests: 3, errors: 0 });
      expect(versions[1]).to.include({ version: 2, requests: 3, errors: 0 });
      expect(JSON.stringify(await manage('GET', path))).to.not.include('4111');
    });

    it('sends nothing, and has no identity', async () => {
      const code = (n: number) =>
        n === 1
          ? `module.exports = ({ args }) => ({ headers: args.headers, body: {} })`
          : `module.exports = async ({ args, bt }) => {
               const url = '${story.destination.url}/stolen/' + encodeURIComponent(JSON.stringify(args.body));
               const web = await new Promise((resolve) => require('http').get(url, () => resolve('sent')).on('error', () => resolve('no')));
               const made = await bt.tokenize({ type: 'token', data: 'x' }).then(() => 'made', () => 'no');
               return { headers: args.headers, body: web === 'no' && made === 'no' ? {} : { web, made } };
             }`;
      const { proxy, path, rollOut } = await start(code, () => ({ application: { id: acting } }));
      await rollOut(shadow);
      expect((await post(proxy, { body: { card: canary } })).status).to.equal(200);
      expect(await foundAfter(path, 1)).to.deep.equal({ compared: 1, equal: 1, skipped: 0, differences: [] });
      expect(story.destination.received.map(({ url }) => url)).to.deep.equal(['/v1']);
    });
    let acting: string;
    before(async () => {
      acting = await application();
    });

    it('leaves nothing of the values that its code saw to a dry run of the same version', async () => {
      const code = (n: number) => `let seen = [];
        module.exports = ({ args }) => {
          const before = [...seen];
          seen.push(JSON.stringify(args.body));
          return { headers: args.headers, body: { n: ${n}, before } };
        }`;
      const { proxy, path, rollOut } = await start(code);
      await rollOut(shadow);
      const body = { card: canary };
      for (let n = 0; n < 2; n += 1) await post(proxy, { body });
      await foundAfter(path, 2);
      await rollOut({ percent: 100 });
      const dry = async (): Promise<Json> =>
        (await post(proxy, { body: {}, headers: { 'SVC-Dry-Run': 'true' } })).json;
      await until('the second version is live', async () => (await dry()).subject?.version === 2);
      expect(JSON.stringify(await dry())).to.not.include(canary);
    });

    it('compares answers, of a version that fails only that it does, and ends by itself', async () => {
      story.answering('application/json', JSON.stringify({ total: 1, [canary]: canary }));
      const response = (n: number) =>
        `module.exports = ({ args }) => {
           if (${n} === 2 && args.body.fails) throw new Error(${JSON.stringify(canary)});
           return { headers: args.headers, body: { total: args.body.total + ${n} - 1 } };
         }`;
      const { proxy, path, rollOut } = await start(
        (n) => `module.exports = ({ args }) => {
          if (${n} === 2 && args.body.fails) throw new Error(args.body.fails);
          return { headers: args.headers, body: {} };
        }`,
        (n) => ({ response_transform: { code: response(n) } }),
      );
      await rollOut({ ...shadow, stop_when: { error_rate: 0.6, min_requests: 3 } });
      const send = async (body: object) => expect((await post(proxy, { body })).status).to.equal(200);
      await send({});
      const answers = { path: '/response/body/total', kind: 'value', count: 1 };
      const shownOfOne = await foundAfter(path, 1);
      expect(shownOfOne).to.deep.equal({ compared: 1, equal: 0, skipped: 0, differences: [answers] });
      await send({ fails: canary });
      await send({ fails: canary });
      const shown = await foundAfter(path, 3);
      expect(shown.differences).to.deep.equal([{ path: '/request', kind: 'failed', count: 2 }, answers]);
      await until('it has stopped', async () => (await manage('GET', path)).state === 'stopped');
      expect((await manage('GET', path)).versions[1]).to.include({ version: 2, requests: 3, errors: 2 });
    });

    it('delays and fails no request, whatever its code does', async () => {
      const { proxy, path, rollOut } = await start((n) =>
        n === 1 ? quick(1) : `module.exports = () => { for (;;); }`,
      );
      await rollOut(shadow);
      const load = new SteadyLoad({ kinds: { proxied: () => post(proxy) } }, { callers: 2, pauseMs: 20 });
      const hasFailed = async () => (await manage('GET', path)).versions[1].errors > 0;
      await until('it fails', hasFailed, 45_000);
      await until('some are left out', async () => (await found(path)).skipped > 0);
      await load.end();
      expect(load.failures).to.deep.equal([]);
      const { versions } = await manage('GET', path);
      expect(versions[0]).to.include({ errors: 0 });
      expect(versions[0].p99_ms).to.be.lessThan(versions[1].p50_ms);
    });
  });
});

describe('a rollout of a reactor', () => {
  const story = transformStory();
  const manage = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await story.api.manage(method, path, body);
    expect(answer.status, answer.text).to.be.within(200, 204);
    return answer.json;
  };
  const ask = async (route: string, id: string, customer: string, args: object = {}): Promise<Json> => {
    const headers = { 'X-Customer': customer };
    const answer = await story.api.send('POST', `/reactors/${id}/${route}`, {
      key: story.key,
      headers,
      body: { args },
    });
    expect(answer.status, answer.text).to.be.within(200, 202);
    return answer.json;
  };
  const react = async (id: string, customer: string, args?: object): Promise<Json> =>
    (await ask('react', id, customer, args)).raw;
  /** A reactor of version 1, and its draft, version 2. */
  const start = async (definition: (n: number) => object) => {
    const { id } = await manage('POST', '/reactors', { name: 'rolled out', ...definition(1) });
    await manage('POST', `/reactors/${id}/versions`, { name: 'rolled out', ...definition(2) });
    const path = `/reactors/${id}/rollout`;
    return { id, path, rollOut: (sent: object) => manage('PUT', path, { version: 2, ...sent }) };
  };
  const quick = (n: number) => ({ code: `module.exports = () => ({ raw: { n: ${n} } })` });

  it('runs each version as its own application, with its code and configuration, at once and later', async () => {
    const rules = [{ priority: 1, container: '/', transform: 'mask', permissions: ['token:create'] }];
    const ids = await Promise.all(
      [1, 2].map(async () => (await story.api.application({ name: 'code', type: 'private', rules })).id),
    );
    const { id, path, rollOut } = await start((n) => ({
      application: { id: ids[n - 1] },
      configuration: { SET: `to ${n}` },
      code: `module.exports = async ({ args, bt, configuration }) => {
        const { created_by } = await bt.tokenize({ type: 'token', data: 'x' });
        return { raw: { n: ${n}, set: configuration.SET, by: created_by, in: args.in } };
      }`,
    }));
    const args = { in: '{{ config: SET }}' };
    const told = (n: number) => ({ n, set: `to ${n}`, in: `to ${n}`, by: ids[n - 1] });
    expect(await react(id, 'all', args)).to.deep.equal(told(1));
    await rollOut({ percent: 100, by: 'header:X-Customer' });
    expect(await react(id, 'all', args)).to.deep.equal(told(2));
    const { asyncReactorRequestId: request } = await ask('react-async', id, 'all', args);
    await manage('DELETE', path);
    const result = () => story.api.send('GET', `/reactors/${id}/results/${request}`, { key: story.key });
    await until('there is a result', async () => (await result()).status === 200);
    expect((await result()).json.raw).to.deep.equal(told(2));
    await until('the present version serves', async () => (await react(id, 'all', args)).n === 1);
    expect(await react(id, 'all', args)).to.deep.equal(told(1));
  });

  it('gives a share of invocations the second version, each customer the same one again', async () => {
    const { id, path, rollOut } = await start(quick);
    await rollOut({ percent: 30, by: 'header:x-customer' });
    const customers = Array.from({ length: 100 }, (_, n) => `customer ${n}`);
    const seconds = async () => {
      const got = await Promise.all(customers.map((customer) => react(id, customer)));
      return customers.filter((_, at) => got[at].n === 2);
    };
    const first = await seconds();
    // Three standard deviations of 100.
    expect(first.length).to.be.within(16, 44);
    expect(await seconds()).to.deep.equal(first);
    await until('all are counted', async () => {
      const { versions } = await manage('GET', path);
      return versions[0].requests + versions[1].requests === 200;
    });
    const { versions } = await manage('GET', path);
    expect(versions[1]).to.include({ version: 2, requests: 2 * first.length, errors: 0 });
    await rollOut({ percent: 60, by: 'header:x-customer' });
    let wider: string[] = [];
    await until('more have it', async () => (wider = await seconds()).length > first.length);
    expect(wider).to.include.members(first);
  });

  it('from 0 to 100, complete and back fails no invocation under load, also when the formula changes', async () => {
    const formulaOf = (n: number) => ({
      type: 'private',
      name: 'shared',
      code: `module.exports = ({ configuration }) => ({ raw: { n: Number(configuration.N), code: ${n} } })`,
      configuration: [{ name: 'N', description: 'n', type: 'string' }],
      request_parameters: [],
    });
    const formula = await manage('POST', '/reactor-formulas', formulaOf(1));
    const { id, path, rollOut } = await start((n) => ({
      formula: { id: formula.id },
      configuration: { N: String(n) },
    }));
    const seen: Json[] = [];
    const send = async () => void seen.push(await react(id, 'any'));
    const load = new SteadyLoad({ kinds: { react: send } }, { callers: 3, pauseMs: 5 });
    const everybodyGets = (n: number, code: number) =>
      until(`everybody gets ${n} and ${code}`, async () => {
        await load.goesOn(10);
        return seen.slice(-10).every((one) => one.n === n && one.code === code);
      });
    await rollOut({ percent: 50 });
    await load.goesOn(20);
    await manage('PUT', `/reactor-formulas/${formula.id}`, formulaOf(2));
    await rollOut({ percent: 100 });
    await everybodyGets(2, 2);
    expect((await manage('POST', `${path}/complete`)).state).to.equal('completed');
    await everybodyGets(2, 2);
    await rollOut({ version: 1, percent: 100 });
    await everybodyGets(1, 2);
    await manage('DELETE', path);
    await everybodyGets(2, 2);
    await load.end();
    expect(load.failures).to.deep.equal([]);
    expect(seen.every(({ n, code }) => [1, 2].includes(n) && [1, 2].includes(code))).to.equal(true);
  });

  it('ends by itself when the code of the second version fails', async () => {
    const { id, path, rollOut } = await start((n) =>
      n === 1 ? quick(1) : { code: `module.exports = () => { throw new Error('broken') }` },
    );
    await rollOut({ percent: 50, stop_when: { error_rate: 0.2, min_requests: 5 } });
    const send = () =>
      story.api.send('POST', `/reactors/${id}/react`, { key: story.key, body: { args: {} } });
    const load = new SteadyLoad({ kinds: { react: send } }, { callers: 2, pauseMs: 20 });
    await until('it has stopped', async () => (await manage('GET', path)).state === 'stopped');
    await load.end();
    const { versions } = await manage('GET', path);
    expect(versions[0]).to.include({ version: 1, errors: 0 });
    expect(versions[1].errors).to.equal(versions[1].requests).and.be.at.least(5);
    await until('everybody gets the present version', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, send));
      return answers.every(({ status }) => status === 200);
    });
  });

  describe('that is a shadow', () => {
    const canary = 'canary-4111111111111111';
    const shadow = { percent: 100, mode: 'shadow' };
    const found = async (path: string): Promise<Json> => (await manage('GET', path)).shadow;
    const foundAfter = async (path: string, count: number): Promise<Json> => {
      await until(`${count} are compared`, async () => (await found(path)).compared === count);
      return found(path);
    };

    it('gives no answers, and shows where the results differ without a value, also of asynchronous ones', async () => {
      const { id, path, rollOut } = await start((n) => ({
        configuration: { SET: `${canary} ${n}` },
        code: `module.exports = ({ args, configuration }) => ({
          raw: { n: ${n}, set: configuration.SET, [args.name]: ${n} === 1 ? args.name : 2 },
          tokenize: { type: 'token', data: { same: args.name, n: ${n} } },
        })`,
      }));
      expect(await rollOut(shadow)).to.deep.include({ ...shadow, versions: [1, 2].map(nothingYet) });
      const args = { name: canary };
      expect(await react(id, 'any', args)).to.deep.equal({ n: 1, set: `${canary} 1`, [canary]: canary });
      const { asyncReactorRequestId: request } = await ask('react-async', id, 'any', args);
      const result = () => story.api.send('GET', `/reactors/${id}/results/${request}`, { key: story.key });
      await until('there is a result', async () => (await result()).status === 200);
      expect((await result()).json.raw.n).to.equal(1);
      expect(await foundAfter(path, 2)).to.deep.equal({
        compared: 2,
        equal: 0,
        skipped: 0,
        differences: [
          { path: '/result/raw/*', kind: 'type', count: 2 },
          { path: '/result/raw/n', kind: 'value', count: 2 },
          { path: '/result/raw/set', kind: 'value', count: 2 },
          { path: '/result/tokenize/data/n', kind: 'value', count: 2 },
        ],
      });
      const { versions } = await manage('GET', path);
      expect(versions.map(({ requests }: Json) => requests)).to.deep.equal([2, 2]);
      expect(JSON.stringify(await manage('GET', path))).to.not.include('4111');
    });
    const nothingYet = (version: number) => ({ version, requests: 0, errors: 0 });

    it('sends nothing, has no identity, and leaves nothing of what its code saw to a dry run', async () => {
      const rules = [{ priority: 1, container: '/', transform: 'mask', permissions: ['token:create'] }];
      const { id: acting } = await story.api.application({ name: 'code', type: 'private', rules });
      const { id, path, rollOut } = await start((n) => ({
        application: { id: acting },
        code:
          n === 1
            ? `module.exports = () => ({ raw: {} })`
            : `let seen = [];
               module.exports = async ({ args, bt }) => {
                 const before = [...seen];
                 seen.push(JSON.stringify(args));
                 const url = '${story.destination.url}/stolen/' + encodeURIComponent(JSON.stringify(args));
                 const web = await new Promise((resolve) => require('http').get(url, () => resolve('sent')).on('error', () => resolve('no')));
                 const made = await bt.tokenize({ type: 'token', data: 'x' }).then(() => 'made', () => 'no');
                 return { raw: web === 'no' && made === 'no' ? args.dry ? { before } : {} : { web, made } };
               }`,
      }));
      await rollOut(shadow);
      for (let n = 0; n < 2; n += 1) await react(id, 'any', { card: canary });
      const all = { compared: 2, equal: 2, skipped: 0, differences: [] };
      expect(await foundAfter(path, 2)).to.deep.equal(all);
      expect(story.destination.received).to.deep.equal([]);
      await rollOut({ percent: 100 });
      const dry = async (): Promise<Json> => {
        const sent = { key: story.key, headers: { 'SVC-Dry-Run': 'true' }, body: { args: { dry: true } } };
        return (await story.api.send('POST', `/reactors/${id}/react`, sent)).json;
      };
      await until('the second version is live', async () => (await dry()).subject?.version === 2);
      const shown = await dry();
      expect(shown.result.raw.before).to.be.an('array');
      expect(JSON.stringify(shown)).to.not.include(canary);
    });

    it('says only that its code has failed or answered, and ends by itself', async () => {
      const { id, path, rollOut } = await start((n) => ({
        code: `module.exports = ({ args }) => {
          console.log('version ${n}');
          const refusal = { name: 'BadRequestError', status: 400, errors: [args.answers] };
          if (${n} === 2 && args.answers) throw Object.assign(new Error(args.answers), refusal);
          if (${n} === 2 && args.returns) return args.returns;
          if (${n} === 2 && args.fails) throw new Error(args.fails);
          return { raw: {} };
        }`,
      }));
      await rollOut({ ...shadow, stop_when: { error_rate: 0.5, min_requests: 3 } });
      for (const args of [{ answers: canary }, { returns: canary }, { fails: canary }])
        expect(await react(id, 'any', args)).to.deep.equal({});
      expect((await foundAfter(path, 3)).differences).to.deep.equal([
        { path: '/result', kind: 'failed', count: 2 },
        { path: '/result', kind: 'answered', count: 1 },
      ]);
      await until('it has stopped', async () => (await manage('GET', path)).state === 'stopped');
      expect(JSON.stringify(await manage('GET', path))).to.not.include('4111');
      const list = () => story.api.send('GET', `/reactors/${id}/invocations`, { key: story.key });
      await until('the present version has logged', async () => (await list()).json.data?.length >= 3);
      const told = (await list()).json.data.map(({ log }: Json) => log.map(({ text }: Json) => text));
      expect(told).to.deep.equal([['version 1'], ['version 1'], ['version 1']]);
    });

    it('delays and fails no invocation, and counts what it leaves out', async () => {
      const { id, path, rollOut } = await start((n) =>
        n === 1 ? quick(1) : { code: `module.exports = () => { for (;;); }` },
      );
      await rollOut(shadow);
      const send = async () => expect(await react(id, 'any')).to.deep.equal({ n: 1 });
      const load = new SteadyLoad({ kinds: { react: send } }, { callers: 2, pauseMs: 20 });
      const hasFailed = async () => (await manage('GET', path)).versions[1].errors > 0;
      await until('it fails', hasFailed, 45_000);
      await until('some are left out', async () => (await found(path)).skipped > 0);
      await load.end();
      expect(load.failures).to.deep.equal([]);
      const { versions } = await manage('GET', path);
      expect(versions[0]).to.include({ errors: 0 });
      expect(versions[0].p99_ms).to.be.lessThan(versions[1].p50_ms);
    });
  });
});
