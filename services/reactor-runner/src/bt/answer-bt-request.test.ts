import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';
import { expect } from 'chai';

import type { CodeRun } from '../scheduling/tenant.ts';
import { type BtContext, answerBtRequest } from './answer-bt-request.ts';
import { TenantBtRequests } from './tenant-bt-requests.ts';

const delegation = { owner: { $case: 'proxyKeyHash', value: 'h' }, version: 1, applicationId: 'a' } as const;
const lifetime = { deadline: Infinity, cancelled: false, signal: new AbortController().signal };
const run: CodeRun = {
  tenantId: 't',
  correlationId: 'of the request',
  code: '',
  argument: Buffer.alloc(0),
  owner: { id: 'p' },
  lifetime,
  delegation,
};

/** Every method of the vault answers alike; what it was called with is noted. */
function stage(
  answer: (text: string) => Promise<unknown>,
  { rates, applications = new Map() }: { rates?: object; applications?: ReadonlyMap<string, object> } = {},
) {
  const calls: { caller: VaultCaller; text: string }[] = [];
  const log: string[] = [];
  const seen: string[] = [];
  const uses: string[] = [];
  const call = async (as: VaultCaller, what: Buffer | string) => {
    calls.push({ caller: as, text: what.toString() });
    if (as.idempotencyKey === 'again') as.onReplay?.();
    return answer(what.toString());
  };
  const vault = { createToken: call, getToken: call, deleteToken: call, tokenize: call };
  const published = {
    applicationByKeyHash: (hash: string) => applications.get(hash),
  };
  const context = {
    vault,
    published,
    rates,
    keyUses: { note: (tenantId: string, hash: string) => uses.push(`${tenantId} ${hash}`) },
    tenantBtRequests: new TenantBtRequests({ btRequestsPerTenant: 2, btRequestBytesPerTenant: 1000 }),
    limits: { btRequestBytes: 4096 },
    docsUrl: 'https://glovebox.example/docs',
    logger: createLogger({
      service: 'test',
      level: 'debug',
      destination: { write: (line) => void log.push(line) },
    }),
    metrics: { observeBt: (name: string, status: number) => void seen.push(`${name} ${status}`) },
  } as unknown as BtContext;
  return {
    calls,
    log,
    seen,
    uses,
    async request(
      method: string,
      path: string,
      body = '',
      more: { headers?: object; backlog?: number } = {},
    ) {
      const { headers = {}, backlog = 0 } = more;
      const request = Buffer.from(`${JSON.stringify({ method, path, query: '', headers })}\n${body}`);
      const text = (
        await answerBtRequest(context, run, delegation, request, lifetime.signal, () => backlog)
      ).toString();
      const end = text.indexOf('\n');
      const head = JSON.parse(text.slice(0, end)) as { status: number; headers: Record<string, string> };
      return { ...head, body: text.slice(end + 1) };
    },
    raw: (text: string) =>
      answerBtRequest(context, run, delegation, Buffer.from(text), lifetime.signal, () => 0),
  };
}

describe('the answer to a call by bt', () => {
  const token = { json: Buffer.from('{"id":"a"}') };

  it('is the vault’s, asked as the one that the run belongs to', async () => {
    const { request, calls, seen } = stage(async () => token);
    expect(await request('POST', '/tokens/', '{"type":"token"}')).to.deep.equal({
      status: 201,
      headers: { 'content-type': 'application/json', 'svc-trace-id': 'of the request' },
      body: '{"id":"a"}',
    });
    expect((await request('GET', '/tokens/a%20b')).status).to.equal(200);
    expect((await request('DELETE', '/tokens/a')).status).to.equal(204);
    expect(calls.map(({ text }) => text)).to.deep.equal(['{"type":"token"}', 'a b', 'a']);
    for (const { caller: as } of calls) {
      expect(as).to.include({ credential: delegation, correlationId: 'of the request' });
    }
    expect(seen).to.deep.equal(['POST /tokens 201', 'GET /tokens/{id} 200', 'DELETE /tokens/{id} 204']);
  });

  const [own, strange, open] = [generateApiKey(), generateApiKey(), generateApiKey()];
  const applications = new Map(
    [
      { key: own, tenantId: run.tenantId, applicationType: 'private' },
      { key: strange, tenantId: 'another tenant', applicationType: 'private' },
      { key: open, tenantId: run.tenantId, applicationType: 'public' },
    ].map(({ key, ...principal }) => [hashKey(key), { principal }]),
  );
  const withKey = (key: string) => ({ headers: { 'SVC-API-KEY': key } });

  it('is for the key and the correlation id that one call brings along', async () => {
    const { request, calls } = stage(async () => token, { applications });
    const answer = await request('GET', '/tokens/a', '', {
      headers: { 'SVC-API-KEY': own, 'BT-Trace-Id': 'own' },
    });
    expect(answer.headers['svc-trace-id']).to.equal('own');
    expect(calls[0]?.caller).to.include({ credential: own, correlationId: 'own' });
    await request('GET', '/tokens/a', '', { headers: { 'SVC-Trace-Id': 'no\nheader' } });
    expect(calls[1]?.caller).to.include({ credential: delegation, correlationId: 'of the request' });
  });

  it('is the same refusal for another tenant’s key and for an unknown one', async () => {
    const { request, calls } = stage(async () => token, { applications });
    const refusals = [];
    for (const key of [strange, generateApiKey(), 'key_1', '']) {
      refusals.push(await request('GET', '/tokens/a', '', withKey(key)));
    }
    for (const refusal of refusals) expect(refusal).to.deep.equal(refusals[0]);
    expect(refusals[0]).to.include({ status: 401 });
    expect(calls).to.deep.equal([]);
  });

  it('counts a key of its own among the requests with that key and of its tenant', async () => {
    const counted: string[] = [];
    const rates = {
      admit(name: string, key: string) {
        counted.push(`${name} ${key}`);
        if (counted.length > 4) throw new AppError('rate_limited', 'Too many.', { retryAfterSeconds: 7 });
      },
    };
    const { request, calls, uses } = stage(async () => token, { applications, rates });
    expect((await request('GET', '/tokens/a')).status).to.equal(200);
    expect(counted).to.deep.equal([]);
    for (const key of [own, open])
      expect((await request('GET', '/tokens/a', '', withKey(key))).status).to.equal(200);
    expect(counted).to.deep.equal([
      `key ${hashKey(own)}`,
      `tenant ${run.tenantId}`,
      `key ${hashKey(open)} bt`,
      `tenant ${run.tenantId} strangers`,
    ]);
    // So its application's keys show that it is in use.
    expect(uses).to.deep.equal([own, open].map((key) => `${run.tenantId} ${hashKey(key)}`));
    const refused = await request('GET', '/tokens/a', '', withKey(own));
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '7']);
    expect(calls).to.have.length(3);
  });

  it('tells the vault the idempotency key of a write, and the code that the answer was given before', async () => {
    const { request, calls } = stage(async () => token);
    const create = (headers: object) => request('POST', '/tokens', '{}', { headers });
    expect((await create({ 'SVC-IDEMPOTENCY-KEY': 'once' })).headers).not.to.have.any.keys(
      'svc-idempotent-replay',
    );
    expect((await create({ 'BT-IDEMPOTENCY-KEY': 'again' })).headers).to.include({
      'svc-idempotent-replay': 'true',
    });
    await create({});
    expect(calls.map(({ caller: as }) => as.idempotencyKey)).to.deep.equal(['once', 'again', undefined]);
  });

  it('is a problem in the common error shape when the vault refuses', async () => {
    const { request, log } = stage(async () => {
      throw validationError({ type: ['is required'] });
    });
    const { status, body } = await request('POST', '/tokens', '{}');
    expect(status).to.equal(400);
    expect(JSON.parse(body)).to.deep.equal({
      errors: { type: ['is required'] },
      title: 'One or more validation errors occurred.',
      status: 400,
      detail: 'type: is required',
      code: 'invalid_argument',
      trace_id: 'of the request',
      doc_url: 'https://glovebox.example/docs/errors#invalid_argument',
    });
    expect(log).to.deep.equal([]);
  });

  it('tells nothing of what goes wrong here', async () => {
    const { request, log } = stage(async () => {
      throw new Error('a secret of ours');
    });
    const { status, body } = await request('GET', '/tokens/a');
    expect(status).to.equal(500);
    expect(body).not.to.contain('secret');
    expect(log.join('')).to.contain('call by bt failed');
  });

  it('says when to come again', async () => {
    const { request } = stage(async () => {
      throw new AppError('unavailable', 'Away.');
    });
    expect(await request('GET', '/tokens/a')).to.deep.include({
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '1', 'svc-trace-id': 'of the request' },
    });
  });

  it('is a refusal of what is malformed or not offered', async () => {
    const { request, raw, calls, seen } = stage(async () => token);
    expect((await raw('nonsense')).toString()).to.contain('"status":400');
    expect((await request('GET', '/applications/')).status).to.equal(404);
    expect(calls).to.deep.equal([]);
    expect(seen).to.deep.equal(['unknown 400', 'unknown 404']);
  });

  it('is no larger than it may be', async () => {
    const { request } = stage(async () => ({ json: Buffer.alloc(5000, 'x') }));
    expect((await request('GET', '/tokens/a')).status).to.equal(413);
  });

  it('is withheld from a worker that takes none', async () => {
    const { request } = stage(async () => token);
    expect((await request('GET', '/tokens/a', '', { backlog: 33 * 1024 * 1024 })).status).to.equal(503);
  });

  it('is a refusal while too much of the tenant’s is under way', async () => {
    const free: (() => void)[] = [];
    const { request } = stage(() => new Promise((resolve) => free.push(() => resolve(token))));
    const [first, second] = [request('GET', '/tokens/a'), request('GET', '/tokens/a')];
    expect((await request('GET', '/tokens/a')).status).to.equal(429);
    for (const resolve of free) resolve();
    expect([(await first).status, (await second).status]).to.deep.equal([200, 200]);
    const again = request('GET', '/tokens/a');
    free.at(-1)?.();
    expect((await again).status).to.equal(200);
  });
});
