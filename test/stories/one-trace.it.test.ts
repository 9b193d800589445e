import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { startDestination } from '../harness/destination.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../harness/otlp-receiver.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const canary = '4000056655665556';

describe('one W3C trace across the services', () => {
  let receiver: OtlpReceiver;
  let system: System;

  before(async () => {
    receiver = await startOtlpReceiver();
    system = await startSystem({ env: receiver.env });
  });
  after(async () => {
    await system[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
  const find = (spans: readonly ReceivedSpan[], service: string, name: RegExp) =>
    spans.find((span) => span.service === service && name.test(span.name));

  it('joins the caller, the gateway, the vault, Postgres and the destination', async () => {
    await using destination = await startDestination();
    const api = apiOf(system);
    const id = await api.token({ type: 'token', data: canary });
    const { key } = await api.proxy(destination.url);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await api.invoke(key, 'POST', '', {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'SVC-TRACE-ID': 'story-1' },
      body: { a: `{{${id}}}` },
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers['svc-trace-id']).to.equal('story-1');

    await until('all spans have arrived', () => {
      const spans = spansOf(traceId);
      return (
        find(spans, 'proxy-gateway', /^POST \/proxy$/) !== undefined &&
        find(spans, 'proxy-gateway', /^destination$/) !== undefined &&
        find(spans, 'token-vault', /detokenize/) !== undefined &&
        find(spans, 'token-vault', /^postgres /) !== undefined
      );
    });
    const spans = spansOf(traceId);
    const edge = find(spans, 'proxy-gateway', /^POST \/proxy$/)!;
    const outbound = find(spans, 'proxy-gateway', /^destination$/)!;
    const vault = find(spans, 'token-vault', /detokenize/)!;
    expect(edge.parentSpanId).to.equal('b7ad6b7169203331');
    expect(outbound.parentSpanId).to.equal(edge.spanId);
    expect(vault.parentSpanId).to.equal(edge.spanId);
    expect(find(spans, 'token-vault', /^postgres /)).to.have.property('traceId', traceId);
    const received = destination.received[0]!;
    expect(received.headers['traceparent']).to.equal(`00-${traceId}-${outbound.spanId}-01`);
    expect(received.headers['svc-trace-id']).to.equal('story-1');
  });

  it('reaches from the invocation of a reactor over the runner to the vault', async () => {
    const api = apiOf(system);
    const id = await api.token({ type: 'token', data: canary });
    const reactor = await createReactor(api, '({ args }) => ({ tokenize: args })');
    const traceId = '2af7651916cd43dd8448eb211c80319c';
    const answer = await api.send('POST', `/reactors/${reactor.id}/react`, {
      key: system.dev.private_api_key,
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      body: { args: { a: `{{${id}}}` } },
    });
    expect(answer.status, answer.text).to.equal(200);
    const names = [
      ['proxy-gateway', /^POST \/reactors\/\{id\}\/react$/],
      ['reactor-runner', /^runner\.runReactor$/],
      ['token-vault', /detokenize/],
      ['token-vault', /\.tokenize/],
    ] as const;
    await until('all spans have arrived', () =>
      names.every(([service, name]) => find(spansOf(traceId), service, name) !== undefined),
    );
    const [edge, runner, ...vault] = names.map(([service, name]) => find(spansOf(traceId), service, name)!);
    expect(edge?.parentSpanId).to.equal('b7ad6b7169203331');
    expect(runner?.parentSpanId).to.equal(edge?.spanId);
    for (const span of vault) expect(span.parentSpanId).to.equal(runner?.spanId);
  });

  it('reaches from what a transform does by bt to the vault', async () => {
    await using destination = await startDestination();
    const api = apiOf(system);
    const rules = [{ priority: 1, container: '/', transform: 'mask', permissions: ['token:create'] }];
    const { id } = await api.application({ name: 'code', type: 'private', rules });
    const { key } = await api.proxy(destination.url, {
      application: { id },
      request_transform: {
        code: `module.exports = async ({ bt }) => ({
          headers: {},
          body: await bt.tokens.create({ type: 'token', data: '${canary}' }),
        })`,
      },
    });
    const traceId = '3af7651916cd43dd8448eb211c80319c';
    const answer = await api.invoke(key, 'POST', '', {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      body: {},
    });
    expect(answer.status, answer.text).to.equal(200);
    const names = [
      ['reactor-runner', /^runner\.runTransform$/],
      ['reactor-runner', /^bt POST \/tokens$/],
      ['token-vault', /createToken/],
    ] as const;
    await until('all spans have arrived', () =>
      names.every(([service, name]) => find(spansOf(traceId), service, name) !== undefined),
    );
    const [run, call, vault] = names.map(([service, name]) => find(spansOf(traceId), service, name)!);
    expect(call?.parentSpanId).to.equal(run?.spanId);
    expect(vault?.parentSpanId).to.equal(call?.spanId);
  });

  it('reaches from a management request to its publication', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    const answer = await apiOf(system).send('POST', '/proxies', {
      key: system.dev.management_api_key,
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      body: { name: 'traced', destination_url: 'https://example.org' },
    });
    expect(answer.status).to.equal(201);
    await until('all spans have arrived', () => {
      const spans = spansOf(traceId);
      return [/publish/, /^POST \/proxies/, /^postgres /].every(
        (name) => find(spans, 'control-api', name) !== undefined,
      );
    });
    const spans = spansOf(traceId);
    expect(find(spans, 'control-api', /^POST \/proxies/)).to.have.property(
      'parentSpanId',
      'b7ad6b7169203331',
    );
  });

  it('carries no token value and no key', () => {
    const everything = receiver.raw.join('\n');
    expect(everything).to.not.contain(canary);
    for (const key of [system.dev.private_api_key, system.dev.management_api_key]) {
      expect(everything).to.not.contain(key);
    }
  });
});
