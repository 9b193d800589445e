import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { encryptTo } from './harness/encrypt.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

type Json = Record<string, unknown>;

const purposeId = '5d0c3c1a-9f0f-4b41-9c38-5d2b0a3a6f11';
const number = "encrypted | json: '$.data.number'";

describe('what a client has encrypted for one request', () => {
  let fixture: Fixture;
  let key: Json;
  let jwe: string;
  before(async () => {
    fixture = await Fixture.start();
    const { tenantId } = fixture;
    const permissions = ['keys:create', 'keys:delete'];
    const manager = await fixture.publisher.application({ tenantId, type: 'management', permissions });
    key = await fixture.gateway.createKey(manager);
    jwe = await encryptTo(key, { ...card, expiration_month: '01' });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const base64 = (document: unknown) => Buffer.from(JSON.stringify(document)).toString('base64');
  const use = (encrypted: string, expressions: string[], by: TestApplication = fixture.owner) =>
    fixture.gateway.use(by, expressions, undefined, {
      purposeId,
      proxy: { keyHash: '', version: 0, variables: Buffer.alloc(0), encrypted },
    });
  const problemsOf = async (encrypted: string) => {
    const { code, errors } = await failureOf(use(encrypted, [number]));
    expect(code).to.equal('invalid_argument');
    return errors;
  };

  it('is what expressions over it say, checked as if a token were made of it', async () => {
    const header = base64({ type: 'card', encrypted: jwe, metadata: { a: 'b' } });
    const token = await fixture.token('of a token');
    const values = await use(header, [
      number,
      'encrypted.data.expiration_month',
      "encrypted | json: '$.metadata.a'",
      'encrypted.type',
      `${token} | append: encrypted.data.number`,
      'encrypted',
    ]);
    const data = { ...card, expiration_month: 1 };
    expect(values.slice(0, 5)).to.deep.equal([card.number, 1, 'b', 'card', `of a token${card.number}`]);
    expect(values[5]).to.deep.equal({ type: 'card', metadata: { a: 'b' }, data });
  });

  it('is used in plain under no rule that masks', async () => {
    const header = base64({ type: 'card', encrypted: jwe });
    const rule = { container: '/', permissions: ['token:use'] };
    const masked = await fixture.application([], [{ ...rule, transform: 'mask' }]);
    expect((await failureOf(use(header, [number], masked))).code).to.equal('permission_denied');
    const revealed = await fixture.application([], [{ ...rule, transform: 'reveal' }]);
    expect(await use(header, [number], revealed)).to.deep.equal([card.number]);
  });

  it('may have several parts, each with a name', async () => {
    const text = await encryptTo(key, 'a name');
    const header = base64({
      pan: { type: 'card', encrypted: jwe },
      type: { type: 'token', encrypted: text },
      __proto__: null,
    })
      .replaceAll('+', '-')
      .replaceAll('/', '_');
    expect(
      await use(header, ["encrypted | json: '$.pan.data.number'", "encrypted | json: '$.type.data'"]),
    ).to.deep.equal([card.number, 'a name']);
  });

  it('is opened for callers who may use tokens, and each use of the key is recorded', async () => {
    const header = base64({ type: 'card', encrypted: jwe });
    const caller = await fixture.application(['token:use']);
    expect(await use(header, [number], caller)).to.deep.equal([card.number]);
    const rows = await fixture.audit(caller);
    expect(
      rows.map(({ operation, outcome, purpose, purpose_id }) => [operation, outcome, purpose, purpose_id]),
    ).to.deep.equal([
      ['use', 'allowed', 'proxy', purposeId],
      ['use', 'allowed', 'key', key['id']],
    ]);
    const other = await fixture.application(['token:create', 'token:read']);
    for (const sent of [header, base64({ type: 'card', encrypted: 'x' })]) {
      const refusal = await failureOf(use(sent, [number], other));
      expect(refusal.code).to.equal('permission_denied');
      expect(refusal.errors).to.deep.equal({});
    }
    const stranger = await fixture.foreigner();
    expect((await failureOf(use(header, [number], stranger))).errors).to.have.all.keys(
      'SVC-ENCRYPTED.encrypted',
    );
  });

  it('is not looked at unless an expression is over it', async () => {
    const token = await fixture.token('x');
    expect(await use('no base64 at all!', [token])).to.deep.equal(['x']);
  });

  it('is not there for reactors, nor for callers who want the values themselves, nor when it was not sent', async () => {
    for (const purpose of [
      UsePurpose.USE_PURPOSE_PROXY,
      UsePurpose.USE_PURPOSE_REACTOR,
      UsePurpose.USE_PURPOSE_DETOKENIZE,
    ]) {
      const more = {
        purpose,
        purposeId,
        proxy: {
          keyHash: '',
          version: 0,
          variables: Buffer.from(JSON.stringify({ encrypted: { data: { number: 'not by the peer' } } })),
          encrypted: purpose === UsePurpose.USE_PURPOSE_PROXY ? '' : base64({ type: 'card', encrypted: jwe }),
        },
      };
      const refusal = await failureOf(fixture.gateway.use(fixture.owner, [number], undefined, more));
      expect(refusal.code).to.equal('invalid_argument');
      expect(refusal.message).to.match(/over encrypted are not supported/);
    }
  });

  it('is refused with everything that is wrong with it', async () => {
    const whole = { 'SVC-ENCRYPTED': ['must be a JSON object in base64'] };
    for (const text of [
      'x',
      '!',
      'e30',
      base64([]),
      base64('x'),
      base64(null),
      base64({}).slice(1),
      `${base64({})}====`,
    ])
      expect(Object.keys(await problemsOf(text)), text).to.deep.equal(['SVC-ENCRYPTED']);
    for (const text of ['!', base64([]), base64(7)]) expect(await problemsOf(text)).to.deep.equal(whole);
    expect(await problemsOf(base64({ type: 'card' }))).to.deep.equal({
      'SVC-ENCRYPTED.encrypted': ['is required'],
    });
    const document = {
      a: 1,
      b: { type: 'card' },
      c: { type: 'card', encrypted: null },
    };
    expect(await problemsOf(base64(document))).to.have.all.keys(
      ...['SVC-ENCRYPTED.a', 'SVC-ENCRYPTED.b.encrypted', 'SVC-ENCRYPTED.c.encrypted'],
    );
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`n${at}`, { encrypted: jwe }]));
    expect(await problemsOf(base64(many))).to.have.all.keys('SVC-ENCRYPTED');
    const wrong = await encryptTo(key, { number: '1' });
    expect(
      await problemsOf(
        base64({ a: { type: 'card', encrypted: wrong }, b: { encrypted: jwe }, c: { encrypted: 'x' } }),
      ),
    ).to.have.all.keys('SVC-ENCRYPTED.a.data.number', 'SVC-ENCRYPTED.b.type', 'SVC-ENCRYPTED.c.encrypted');
  });

  it('leaves no trace', async () => {
    const secret = 'only for this one request';
    const header = base64({ type: 'token', encrypted: await encryptTo(key, secret) });
    expect(await use(header, ['encrypted.data'])).to.deep.equal([secret]);
    await failureOf(use(header, ['encrypted.data | to_number']));
    const told = fixture.vault.logged.join('') + JSON.stringify(await fixture.sql('SELECT * FROM audit'));
    expect(told).to.not.contain(secret);
    expect(told).to.not.contain(header);
  });
});
