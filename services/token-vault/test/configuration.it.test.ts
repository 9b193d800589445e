import { randomUUID } from 'node:crypto';

import { type Detokenize, UsePurpose, VaultServiceService as methods } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

describe('expressions over configuration', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const sealed = async (recordId: string, configuration: Record<string, string>) => {
    const control = fixture.vault.as('control-api');
    const items = Object.entries(configuration).map(([name, text]) => ({
      place: { tenantId: fixture.tenantId, recordId, field: `configuration.${name}` },
      plaintext: Buffer.from(text),
    }));
    const answer = await control.unary(methods.seal, { items }, { deadline: Date.now() + 10_000 });
    control.close();
    return Object.fromEntries(Object.keys(configuration).map((name, at) => [name, answer.sealed[at]!]));
  };
  const proxyWith = async (configuration: Record<string, string>, tenantId = fixture.tenantId) => {
    const id = randomUUID();
    const record = { id, sealedConfiguration: await sealed(id, configuration) };
    const { owner } = await fixture.publisher.proxy(tenantId, '', record);
    return { id, keyHash: owner?.value ?? '' };
  };
  const use = (proxy: { id: string; keyHash: string }, expressions: string[], variables?: object) =>
    fixture.gateway.use(fixture.owner, expressions, undefined, {
      purposeId: proxy.id,
      proxy: {
        keyHash: proxy.keyHash,
        version: 1,
        variables: variables === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(variables)),
        encrypted: '',
      },
    });
  const refusal = async (outcome: Promise<unknown>) => {
    const failure = await failureOf(outcome);
    expect(failure.code).to.equal('invalid_argument');
    return failure.message;
  };

  it('give the entries of the proxy, beside tokens, and what filters make of them', async () => {
    const proxy = await proxyWith({ 'A KEY': 'sesame', number: '42' });
    const id = await fixture.token('data');
    expect(await use(proxy, ['config: A KEY', 'config:number | to_number', id])).to.deep.equal([
      'sesame',
      42,
      'data',
    ]);
  });

  it('are a 400 for what is not there: an entry, a proxy, another tenant’s, any configuration at all', async () => {
    const proxy = await proxyWith({ A: 'sesame' });
    expect(await refusal(use(proxy, ['config: B']))).to.equal('The configuration has no entry "B".');
    expect(await refusal(use(proxy, ['config: __proto__']))).to.match(/no entry/);
    const none = /no configuration/;
    expect(await refusal(use({ ...proxy, id: randomUUID() }, ['config: A']))).to.match(none);
    expect(await refusal(use({ ...proxy, keyHash: 'x' }, ['config: A']))).to.match(none);
    expect(await refusal(fixture.gateway.use(fixture.owner, ['config: A']))).to.match(none);
    const foreign = await proxyWith({ A: 'sesame' }, await fixture.publisher.tenant());
    expect(await refusal(use(foreign, ['config: A']))).to.match(none);
    const read: Partial<Detokenize> = { purpose: UsePurpose.USE_PURPOSE_DETOKENIZE, purposeId: proxy.id };
    expect(await refusal(fixture.gateway.use(fixture.owner, ['config: A'], undefined, read))).to.match(none);
  });

  it('are refused to callers who may use no token', async () => {
    const proxy = await proxyWith({ A: 'sesame' });
    const caller = await fixture.application(['token:create']);
    const more = {
      purposeId: proxy.id,
      proxy: { keyHash: proxy.keyHash, version: 1, variables: Buffer.alloc(0), encrypted: '' },
    };
    const failure = await failureOf(fixture.gateway.use(caller, ['config: A'], undefined, more));
    expect(failure.code).to.equal('permission_denied');
  });

  it('of a reactor, whose code may answer what it gets, are for a view that reveals', async () => {
    const id = randomUUID();
    await fixture.publisher.reactor(fixture.tenantId, '', {
      id,
      sealedConfiguration: await sealed(id, { S: 'text' }),
    });
    const purpose = { purpose: UsePurpose.USE_PURPOSE_REACTOR, purposeId: id };
    const rule = { container: '/', permissions: ['token:use'] };
    const masked = await fixture.application([], [{ ...rule, transform: 'mask' }]);
    const failure = await failureOf(fixture.gateway.use(masked, ['config: S'], undefined, purpose));
    expect(failure.code).to.equal('permission_denied');
    const revealed = await fixture.application([], [{ ...rule, transform: 'reveal' }]);
    expect(await fixture.gateway.use(revealed, ['config: S'], undefined, purpose)).to.deep.equal(['text']);
  });

  it('give the entries of a reactor in the types that its formula declares', async () => {
    const id = randomUUID();
    const declaredConfiguration = [
      { name: 'N', type: 'number' },
      { name: 'B', type: 'boolean' },
    ];
    await fixture.publisher.reactor(fixture.tenantId, '', {
      id,
      declaredConfiguration,
      sealedConfiguration: await sealed(id, { N: '42', B: 'true', S: 'text' }),
    });
    const purpose = UsePurpose.USE_PURPOSE_REACTOR;
    const values = await fixture.gateway.use(
      fixture.owner,
      ['config: N', 'config: B', 'config: S'],
      undefined,
      { purpose, purposeId: id },
    );
    expect(values).to.deep.equal([42, true, 'text']);
  });

  it('reach variables that are bound, in filters too, and no others', async () => {
    const proxy = await proxyWith({ key: 'secretKeyValue', other: 'o' });
    const variables = {
      proxy: { request: { headers: { 'X-Date': 'today' }, body: '4242424242424242' } },
      transform_identifier: { made: { id: 'made-id' } },
    };
    const signature = '90A0050E90515101DCAD0F68955370CCA81F6DCB9D299E7E0585CC9746716D9B';
    const values = await use(
      proxy,
      [
        "proxy | json: '$.request.headers.X-Date'",
        'proxy.request.headers.X-Date',
        "proxy.request.body | hmac: 'sha-256', proxy.config.key | to_base16",
        "proxy | json: '$.config.other'",
        'proxy.request.headers.Nope',
        "transform_identifier: 'made' | json: '$.id'",
      ],
      variables,
    );
    expect(values).to.deep.equal(['today', 'today', signature, 'o', null, 'made-id']);
    expect(await refusal(use(proxy, ['res.number'], variables))).to.match(/over res are not supported/);
    expect(await refusal(use(proxy, ['proxy.request.body']))).to.match(/over proxy are not supported/);
    expect(await refusal(use(proxy, ["transform_identifier: 'x'"], variables))).to.match(/Nothing was made/);
  });

  it('look into a large request a thousand times over without a copy of it for each', async () => {
    const proxy = await proxyWith({});
    const variables = { proxy: { request: { headers: {}, body: '\u0001'.repeat(1024 * 1024) } } };
    const expressions = Array.from({ length: 1000 }, (_, at) => `proxy | json: '$.a${at}'`);
    expect(await use(proxy, expressions, variables)).to.deep.equal(expressions.map(() => null));
  });
});
