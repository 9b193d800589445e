import { randomUUID } from 'node:crypto';

import { Glovebox } from '@glovebox/sdk/glovebox';
import type { InvocationOutline } from '@glovebox/sdk/models/invocation';
import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Answer, type Json, send } from '../harness/api.ts';
import { startDestination } from '../harness/destination.ts';
import { EventReader } from '../harness/event-reader.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

const canary = '4000056655665556';

/** contract/invocations.md, over the whole system. */
describe('an invocation', () => {
  const story = transformStory();
  const { post, onRequest } = story;

  const outlines = async (query: string): Promise<Json[]> => {
    const answer = await story.api.manage('GET', `/invocations?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).to.not.contain(canary);
    return answer.json.data;
  };
  /** The outlines of a request, when there are as many. */
  const traced = async (trace: string, count = 1): Promise<Json[]> => {
    let found: Json[] = [];
    await until(`${count} outlines of ${trace} are there`, async () => {
      found = await outlines(`trace_id=${trace}`);
      return found.length >= count;
    });
    expect(found).to.have.length(count);
    return found;
  };
  const withTrace = (trace: string, body: object = {}) => ({ headers: { 'SVC-TRACE-ID': trace }, body });
  const sampling = async (invocation_sampling: string) => {
    const tenant = (await story.api.manage('GET', '/tenants/self')).json;
    const settings = { ...tenant.settings, invocation_sampling };
    const answer = await story.api.manage('PUT', '/tenants/self', { name: tenant.name, settings });
    expect(answer.status, answer.text).to.equal(200);
  };

  after(() => sampling('1'));

  it('that fails in code has its outline: stages, place and code, and no value', async () => {
    const id = await story.api.token({ type: 'token', data: canary });
    const proxy = await onRequest(`({ args }) => {\n  throw new Error(args.body.a + '${canary}');\n}`);
    const trace = randomUUID();
    expect((await post(proxy, withTrace(trace, { a: `{{ ${id} }}` }))).status).to.equal(500);
    const [outline] = await traced(trace);
    expect(outline).to.deep.include({ subject: { type: 'proxy', id: proxy.id }, version: 1, status: 500 });
    expect(outline).to.deep.include({ outcome: 'failed', trace_id: trace, logged: false });
    expect(outline.error).to.deep.include({ code: 'internal', line: 2 });
    expect(outline.stages).to.include.keys('vault', 'transform').and.not.have.key('destination');
    const one = await story.api.manage('GET', `/invocations/${outline.id}`);
    expect(one.json).to.deep.equal(outline);
    expect((await outlines(`subject=${proxy.id}&outcome=failed&status=500`)).map(idOf)).to.deep.equal([
      outline.id,
    ]);
    expect(await outlines(`subject=${proxy.id}&outcome=succeeded`)).to.deep.equal([]);
    expect(await outlines(`subject=${proxy.id}&started_after=2100-01-01`)).to.deep.equal([]);
  });

  it('that succeeds is kept when its code logs, and else as often as the tenant wants', async () => {
    const loud = await onRequest(`({ args }) => { console.log('${canary}'); return args; }`);
    const quiet = await onRequest(`({ args }) => args`);
    const traces = { loud: randomUUID(), quiet: randomUUID(), sampled: randomUUID() };
    await sampling('0');
    await post(quiet, withTrace(traces.quiet));
    await post(loud, withTrace(traces.loud, { a: 1 }));
    const [logged] = await traced(traces.loud);
    expect(logged).to.deep.include({ outcome: 'succeeded', logged: true, request_bytes: 7 });
    expect(logged.destination).to.deep.equal({ url: story.destination.url, status: 200 });
    expect(await outlines(`trace_id=${traces.quiet}`)).to.deep.equal([]);
    await sampling('100');
    await post(quiet, withTrace(traces.sampled));
    expect((await traced(traces.sampled))[0]).to.deep.include({ outcome: 'succeeded', logged: false });
  });

  it('that is refused or does not reach its destination says which of both', async () => {
    const [refused, failed] = [randomUUID(), randomUUID()];
    const unknown = withTrace(refused, { a: `{{ ${randomUUID()} }}` });
    const { status } = await post(await story.api.proxy(story.destination.url), unknown);
    expect(status).to.be.within(400, 499);
    expect((await traced(refused))[0]).to.deep.include({ outcome: 'refused', status });
    const nobody = await startDestination();
    await nobody[Symbol.asyncDispose]();
    expect((await post(await story.api.proxy(nobody.url), withTrace(failed))).status).to.equal(502);
    const [outline] = await traced(failed);
    expect(outline).to.deep.include({ outcome: 'failed', error: { code: 'bad_gateway' } });
    expect(outline.destination).to.deep.equal({ url: nobody.url });
  });

  it('of a reactor is outlined once, whether somebody waits, nobody does, or code invoked it', async () => {
    await sampling('100');
    const inner = await createReactor(story.api, '() => ({ raw: {} })');
    const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:use'] }];
    const application = await story.api.application({ name: 'invokes', type: 'private', rules });
    const calls = `async ({ bt }) => ({ raw: await bt.reactors.react('${inner.id}', { args: {} }) })`;
    const outer = await createReactor(story.api, calls, {}, { application: { id: application.id } });
    const broken = await createReactor(story.api, '() => { throw new Error("x") }');
    const [waits, later] = [randomUUID(), randomUUID()];
    const key = { key: story.key };
    const answer = await story.api.send('POST', `/reactors/${outer.id}/react`, {
      ...key,
      ...withTrace(waits, { args: {} }),
    });
    expect(answer.status, answer.text).to.equal(200);
    const both = await traced(waits, 2);
    expect(both.map(({ subject }) => subject.id)).to.have.members([inner.id, outer.id]);
    expect(both.find(({ subject }) => subject.id === outer.id)).to.include({
      status: 200,
      outcome: 'succeeded',
    });
    await story.api.send('POST', `/reactors/${broken.id}/react-async`, {
      ...key,
      ...withTrace(later, { args: {} }),
    });
    const [run, accepted] = (await traced(later, 2)).toSorted((one) => (one.status === undefined ? -1 : 1));
    expect(accepted).to.deep.include({ status: 202, outcome: 'succeeded' });
    expect(run).to.deep.include({ subject: { type: 'reactor', id: broken.id }, outcome: 'failed' });
    expect(run!.error).to.deep.include({ code: 'threw', line: 1 });
  });

  it('is followed by one trace id: outline, log of code, audit entry and webhook', async () => {
    const id = await story.api.token({ type: 'token', data: canary });
    const hook = await story.api.manage('POST', '/webhooks', {
      name: 'trace',
      url: `${story.destination.url}/hook`,
      events: ['proxy.invoked'],
    });
    const proxy = await onRequest(`({ args }) => { console.log('begins'); return args; }`);
    const trace = randomUUID();
    expect((await post(proxy, withTrace(trace, { a: `{{ ${id} }}` }))).status).to.equal(200);
    const [outline] = await traced(trace);
    const logs = async () => story.api.send('GET', `/proxies/${proxy.id}/invocations`, { key: story.key });
    await until('the log is there', async () => (await logs()).json.data.length > 0);
    const [run] = (await logs()).json.data;
    expect(run).to.include({ correlation_id: trace });
    expect(run.log[0].text).to.equal('begins');
    const audit = await story.api.manage('GET', `/logs?trace_id=${trace}`);
    expect(audit.json.data[0]).to.include({ entity_id: id, operation: 'use', trace_id: outline.trace_id });
    const events = () => story.destination.received.filter(({ url }) => url === '/hook');
    await until('the webhook came', () => events().length > 0);
    expect(JSON.parse(events()[0]!.body.toString()).event.trace_id).to.equal(trace);
    await story.api.manage('DELETE', `/webhooks/${hook.json.id}`);
  });

  it('is sent as it ends to those who follow, and after a break what they missed', async () => {
    const { dev } = await sharedSystem();
    const proxy = await story.api.proxy('http://127.0.0.1:9');
    const path = `/invocations/stream?subject=${proxy.id}`;
    const traces = [randomUUID(), randomUUID(), randomUUID()];
    const first = await EventReader.open(story.api.base, path, dev.management_api_key);
    await post(proxy, withTrace(traces[0]!));
    const [begun] = await first.read(1);
    expect(JSON.parse(begun!.data)).to.include({ trace_id: traces[0], outcome: 'failed' });
    first.close();
    await post(proxy, withTrace(traces[1]!));
    await traced(traces[1]!);
    const second = await EventReader.open(story.api.base, path, dev.management_api_key, begun!.id);
    await post(proxy, withTrace(traces[2]!));
    const missed = await second.read(2);
    expect(missed.map(({ data }) => JSON.parse(data).trace_id)).to.deep.equal(traces.slice(1));
    second.close();
  });

  it('is followed by so many of a tenant, and who leaves gives the place back at once', async () => {
    const { management_api_key: key } = await anotherTenant(await sharedSystem(), 'follows');
    const open = () => EventReader.open(story.api.base, '/invocations/stream', key);
    const isRefused = (error: Error) => expect(error.message).to.match(/^429 /);
    const staying = await Promise.all(Array.from({ length: 19 }, open));
    // Not only by the next sign of life, by which a connection that has died is found.
    await until('a place is given back earlier than the next sign of life', async () => {
      await staying[0]!.alive();
      const leaving = await open();
      await open().then(() => expect.fail('there was a place'), isRefused);
      let isAlive = false;
      const alive = staying[0]!.alive().then(() => (isAlive = true));
      leaving.close();
      let next: EventReader | undefined;
      while (next === undefined) next = await open().catch((error: Error) => void isRefused(error));
      next.close();
      const wasEarlier = !isAlive;
      await alive;
      return wasEarlier;
    });
    for (const one of staying) one.close();
  });

  it('is followed by the client', async () => {
    const { dev } = await sharedSystem();
    const client = await new Glovebox().init(dev.management_api_key, { apiBaseUrl: story.api.base });
    const proxy = await story.api.proxy('http://127.0.0.1:9');
    const following = client.invocations.follow({ subject: proxy.id, outcome: 'failed' });
    let seen: InvocationOutline | undefined;
    void following.next().then(({ value }) => (seen = value ?? undefined));
    await until('one is seen', async () => {
      await post(proxy);
      return seen !== undefined;
    });
    expect(seen).to.deep.include({
      subject: { type: 'proxy', id: proxy.id },
      outcome: 'failed',
      status: 502,
    });
    await following.return();
  });

  it('is for those of the tenant who may read its proxies or reactors, each its own', async () => {
    const proxy = await story.api.proxy('http://127.0.0.1:9');
    const reactor = await createReactor(story.api, '() => { throw new Error() }');
    const [ofProxy, ofReactor] = [randomUUID(), randomUUID()];
    await post(proxy, withTrace(ofProxy));
    await story.api.send('POST', `/reactors/${reactor.id}/react`, {
      key: story.key,
      ...withTrace(ofReactor, { args: {} }),
    });
    await traced(ofProxy);
    const [seen] = await traced(ofReactor);
    const asking = async (permissions: string[], query: string): Promise<Answer> => {
      const { key } = await story.api.application({ name: 'looks', type: 'management', permissions });
      return story.api.send('GET', `/invocations${query}`, { key });
    };
    expect((await asking(['proxy:read'], `?trace_id=${ofReactor}`)).json.data).to.deep.equal([]);
    expect((await asking(['reactor:read'], `?trace_id=${ofReactor}`)).json.data).to.have.length(1);
    expect((await asking(['proxy:read'], `/${seen.id}`)).status).to.equal(404);
    expect((await asking(['log:read'], '')).status).to.equal(403);
    const stranger = await anotherTenant(await sharedSystem(), 'stranger to invocations');
    const strangers = { key: stranger.management_api_key };
    const list = await send(story.api.base, 'GET', `/invocations?trace_id=${ofProxy}`, strangers);
    expect(list.json.data).to.deep.equal([]);
    expect((await send(story.api.base, 'GET', `/invocations/${seen.id}`, strangers)).status).to.equal(404);
  });

  it('is listed page by page', async () => {
    const proxy = await story.api.proxy('http://127.0.0.1:9');
    const trace = randomUUID();
    for (let n = 0; n < 5; n += 1) await post(proxy, withTrace(trace));
    const all = await traced(trace, 5);
    const read: Json[] = [];
    let start = '';
    do {
      const answer = await story.api.manage('GET', `/invocations?trace_id=${trace}&size=2${start}`);
      read.push(...answer.json.data);
      start = answer.json.pagination.next === undefined ? '' : `&start=${answer.json.pagination.next}`;
    } while (start !== '');
    expect(read).to.deep.equal(all);
    for (const [query, name] of [
      ['subject=4711', 'subject'],
      ['outcome=lost', 'outcome[0]'],
      ['status=99', 'status'],
      ['started_after=soon', 'started_after'],
      ['start=4711', 'start'],
      ['size=101', 'size'],
    ] as const) {
      const answer = await story.api.manage('GET', `/invocations?${query}`);
      expect(answer.status, query).to.equal(400);
      expect(answer.json.errors).to.have.all.keys(name);
    }
  });
});

const idOf = ({ id }: Json): string => id;
