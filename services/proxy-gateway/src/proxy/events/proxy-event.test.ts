import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { defaultLimits } from '@glovebox/expressions/limits';
import { Warnings } from '@glovebox/platform/http/warnings';
import { ROOT_CONTEXT, startSpan } from '@glovebox/platform/telemetry/tracing';
import type { ProxyRecord } from '@glovebox/published/records';
import { expect } from 'chai';

import { HeldBytes } from '../../http/body/held-bytes.ts';
import type { Exchange, ExchangeNotes } from '../../http/exchange.ts';
import { noServiceHeaders } from '../../http/headers/service-headers.ts';
import { Stages } from '../../http/stages.ts';
import { newInvocation } from './invoked-proxy.ts';
import { proxyEvent } from './proxy-event.ts';

const canary = 'canary-4111111111111111';
const record = { id: 'p', name: 'till', tenantId: 't', destinationUrl: `https://a.example/${canary}` };
const proxy = record as ProxyRecord;

function exchangeOf(status: number, notes: Partial<ExchangeNotes>, rawHeaders: string[] = []): Exchange {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.url = `/proxy/${canary}?q=${canary}`;
  request.rawHeaders = rawHeaders;
  const response = new ServerResponse(request);
  response.statusCode = status;
  const { span, context } = startSpan('test', {}, ROOT_CONTEXT);
  return {
    request,
    response,
    target: { path: `/proxy/${canary}`, query: '' },
    headers: noServiceHeaders(),
    aliases: true,
    origins: '*',
    bounds: { expressions: defaultLimits, headerBytes: 1, decodedRatio: 100, pageSize: 1 },
    held: new HeldBytes(1),
    limits: undefined,
    correlationId: 'trace',
    known: undefined,
    warnings: new Warnings(undefined),
    startedAt: performance.now() - 100,
    span,
    trace: context,
    notes: notes as ExchangeNotes,
    stages: new Stages(),
    tellsTiming: true,
    docsUrl: '',
  };
}

describe('what is told of an invocation of a proxy', () => {
  it('is who, where and how it ended, and nothing of what went through', () => {
    const headers = ['Content-Type', canary, 'X-Note', canary, `X-${canary}`, 'v', 'SVC-API-KEY', canary];
    const exchange = exchangeOf(201, { destinationStatus: 201, applicationId: 'a' }, headers);
    const invoked = { ...newInvocation(proxy), destination: 'https://a.example' };
    const event = proxyEvent(exchange, invoked);
    expect(event).to.include({ type: 'proxy.invoked', tenant_id: 't', trace_id: 'trace' });
    const { proxy: told, ...data } = event.data as unknown as Record<string, Record<string, unknown>>;
    expect(told).to.deep.include({ id: 'p', name: 'till', type: 'pre_configured' });
    expect(told?.['response']).to.include({ status: 201, error: undefined });
    expect(told?.['response']).to.have.property('elapsed_ms').that.is.at.least(100);
    expect(data['destination']).to.deep.equal({
      request: { method: 'POST', url: 'https://a.example', headers: ['content-type', 'x-note'] },
      response: { status: 201, elapsed_ms: 0 },
    });
    expect(data['actor']).to.deep.equal({ id: 'a', type: 'application' });
    expect(JSON.stringify(event)).to.not.contain(canary);
  });

  it('is on which side a transform has failed, in the words of the status', () => {
    for (const side of ['request', 'response'] as const) {
      const exchange = exchangeOf(402, { errorCode: 'unprocessable', cause: new Error(canary) });
      const event = proxyEvent(exchange, { ...newInvocation(proxy), transforming: side });
      expect(event.data[`${side}_transform`]).to.deep.equal({ response: { error: 'Payment Required' } });
      expect(event.data['destination']).to.equal(undefined);
      expect(event.data.actor).to.equal(undefined);
      expect(JSON.stringify(event)).to.not.contain(canary);
    }
  });

  it('is no success when the answer was broken off, and none of code’s own answers of success is a failure', () => {
    const event = proxyEvent(exchangeOf(200, { errorCode: 'bad_gateway' }), newInvocation(proxy));
    expect(event.data['proxy']).to.have.nested.property('response.error', 'Broken Off');
    const whole = exchangeOf(200, { errorCode: 'unprocessable' });
    whole.response.end();
    const answered = proxyEvent(whole, { ...newInvocation(proxy), transforming: 'request' });
    expect(answered.data['proxy']).to.have.nested.property('response.error', undefined);
    expect(answered.data).to.not.have.any.keys('request_transform');
  });

  it('names no proxy that stood in the request', () => {
    const event = proxyEvent(exchangeOf(200, {}), newInvocation({ ...proxy, id: '', name: '' }));
    expect(event.data['proxy']).to.have.all.keys('type', 'response').and.include({ type: 'ephemeral' });
  });
});
