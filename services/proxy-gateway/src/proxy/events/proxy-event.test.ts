import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { defaultLimits } from '@glovebox/expressions/limits';
import { Warnings } from '@glovebox/platform/http/warnings';
import { ROOT_CONTEXT, startSpan } from '@glovebox/platform/telemetry/tracing';
import { FairTurns } from '@glovebox/platform/values/fair-turns';
import type { ProxyRecord } from '@glovebox/published/records';
import { expect } from 'chai';

import { HeldBytes } from '../../http/body/body-memory.ts';
import type { Exchange, LogFields } from '../../http/exchange.ts';
import { noServiceHeaders } from '../../http/headers/service-headers.ts';
import { Stages } from '../../http/stages.ts';
import { untracked } from '../../idempotency/invocation-progress.ts';
import { type ProxyInvocation, createInvocation } from '../resolve/proxy-invocation.ts';
import { proxyEvent } from './proxy-event.ts';

const canary = 'canary-4111111111111111';
const record = { id: 'p', name: 'till', tenantId: 't', destinationUrl: `https://a.example/${canary}` };
const proxy = record as ProxyRecord;

function exchangeOf(status: number, logFields: Partial<LogFields>, rawHeaders: string[] = []): Exchange {
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
    turns: new FairTurns(),
    rates: undefined,
    keyUses: { note: () => undefined },
    trustedHops: 0,
    correlationId: 'trace',
    known: undefined,
    warnings: new Warnings(undefined),
    isDryRun: false,
    startedAt: performance.now() - 100,
    span,
    trace: context,
    logFields: logFields as LogFields,
    stages: new Stages(),
    outlineNotes: { logged: false, line: 0, column: 0, responseBytes: 0 },
    serverTiming: true,
    docsUrl: '',
    onEnded: undefined,
  };
}

function invocationOf(exchange: Exchange, changed: Partial<ProxyInvocation> = {}): ProxyInvocation {
  const target = { subPath: '', query: '', proxyKey: undefined };
  return { ...createInvocation(exchange, { target, proxy, caller: undefined }, untracked), ...changed };
}

describe('the webhook event of an invocation of a proxy', () => {
  it('is who, where and how it ended, and nothing of what went through', () => {
    const headers = ['Content-Type', canary, 'X-Note', canary, `X-${canary}`, 'v', 'SVC-API-KEY', canary];
    const exchange = exchangeOf(201, { destinationStatus: 201, applicationId: 'a' }, headers);
    const event = proxyEvent(invocationOf(exchange, { destination: 'https://a.example' }));
    expect(event).to.include({ type: 'proxy.invoked', tenant_id: 't', trace_id: 'trace' });
    const { proxy: eventProxy, ...data } = event.data as unknown as Record<string, Record<string, unknown>>;
    expect(eventProxy).to.deep.include({ id: 'p', name: 'till', type: 'pre_configured' });
    expect(eventProxy?.['response']).to.include({ status: 201, error: undefined });
    expect(eventProxy?.['response']).to.have.property('elapsed_ms').that.is.at.least(100);
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
      const event = proxyEvent(invocationOf(exchange, { transforming: side }));
      expect(event.data[`${side}_transform`]).to.deep.equal({ response: { error: 'Payment Required' } });
      expect(event.data['destination']).to.equal(undefined);
      expect(event.data.actor).to.equal(undefined);
      expect(JSON.stringify(event)).to.not.contain(canary);
    }
  });

  it('is no success when the answer was broken off, and none of code’s own answers of success is a failure', () => {
    const event = proxyEvent(invocationOf(exchangeOf(200, { errorCode: 'bad_gateway' })));
    expect(event.data['proxy']).to.have.nested.property('response.error', 'Broken Off');
    const whole = exchangeOf(200, { errorCode: 'unprocessable' });
    whole.response.end();
    const answered = proxyEvent(invocationOf(whole, { transforming: 'request' }));
    expect(answered.data['proxy']).to.have.nested.property('response.error', undefined);
    expect(answered.data).to.not.have.any.keys('request_transform');
  });

  it('names no proxy that stood in the request', () => {
    const event = proxyEvent(invocationOf(exchangeOf(200, {}), { proxy: { ...proxy, id: '', name: '' } }));
    expect(event.data['proxy']).to.have.all.keys('type', 'response').and.include({ type: 'ephemeral' });
  });
});
