import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('tokens', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('are shown as contract/examples.md#worked-examples has them', async () => {
    const creator = await fixture.application(['token:create']);
    const token = await fixture.gateway.create(creator, {
      type: 'card',
      data: card,
      metadata: { customer: 'c-9' },
    });
    const { id, fingerprint, created_at: createdAt, ...rest } = token;
    expect(id).to.match(uuid);
    expect(fingerprint).to.match(/^[1-9A-Za-z]{40,44}$/);
    expect(createdAt).to.match(instant);
    expect(rest).to.deep.equal({
      tenant_id: fixture.tenantId,
      type: 'card',
      data: { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 },
      mask: {
        number: '{{ data.number | reveal_last: 4 }}',
        expiration_month: '{{ data.expiration_month }}',
        expiration_year: '{{ data.expiration_year }}',
      },
      fingerprint_expression: '{{ data.number }}',
      containers: ['/pci/high/'],
      privacy: { classification: 'pci', impact_level: 'high', restriction_policy: 'mask' },
      metadata: { customer: 'c-9' },
      search_indexes: [],
      created_by: creator.id,
    });
    expect(await fixture.gateway.get(fixture.owner, String(id))).to.deep.equal({
      ...token,
      data: card,
      card: { bin: '42424242', last4: '4242', expiration_month: 12, expiration_year: 2030, brand: 'visa' },
    });
  });

  it('leave out what has no value', async () => {
    const creator = await fixture.application(['token:create']);
    const token = await fixture.gateway.create(creator, { type: 'token', data: 'x' });
    expect(Object.keys(token)).to.deep.equal([
      'id',
      'tenant_id',
      'type',
      'fingerprint',
      'fingerprint_expression',
      'containers',
      'privacy',
      'search_indexes',
      'created_by',
      'created_at',
    ]);
  });

  it('keep every attribute that was given', async () => {
    const given = {
      id: 'my own id: "ü" @1.0',
      type: 'token',
      data: { zulu: 1, alpha: ['a', null, { deep: true }] },
      mask: { zulu: 'Z{{ data.zulu }}', list: ['{{ data.alpha[0] }}'], gone: '{{ data.nothing }}' },
      metadata: { a: '1', 'b c': '"2"' },
      search_indexes: ['{{ data.zulu }}'],
      fingerprint_expression: '{{ data.zulu }}{{ metadata.a }}',
      containers: ['/One/Two/'],
      expires_at: '8/26/2030 7:23:57 PM -07:00',
      encryption: { cek: { key: 'k1', alg: 'a' }, kek: { key: 'k2' } },
    };
    const token = await fixture.gateway.create(fixture.owner, given);
    const { fingerprint, created_at: _, ...rest } = token;
    expect(fingerprint).to.be.a('string');
    expect(rest).to.deep.equal({
      ...given,
      tenant_id: fixture.tenantId,
      containers: ['/one/two/'],
      expires_at: '2030-08-26T19:23:57-07:00',
      created_by: fixture.owner.id,
    });
    expect(await fixture.gateway.get(fixture.owner, given.id)).to.deep.equal(token);
    const viewer = await fixture.application(['token:read']);
    expect((await fixture.gateway.get(viewer, given.id))['data']).to.deep.equal({ zulu: 'Z1', list: ['a'] });
  });

  it('of equal value have equal fingerprints, within a tenant and type only', async () => {
    const { gateway, owner } = fixture;
    const foreigner = await fixture.foreigner();
    const fingerprintOf = async (caller: typeof owner, type: string, data: unknown) =>
      (await gateway.create(caller, { type, data }))['fingerprint'];
    const first = await fingerprintOf(owner, 'card_number', card.number);
    expect(await fingerprintOf(owner, 'card_number', card.number)).to.equal(first);
    expect(await fingerprintOf(owner, 'card', card)).not.to.equal(first);
    expect(await fingerprintOf(owner, 'card_number', '5555555555554444')).not.to.equal(first);
    expect(await fingerprintOf(foreigner, 'card_number', card.number)).not.to.equal(first);
  });

  it('have no fingerprint when the tenant does not want any', async () => {
    const tenantId = await fixture.publisher.tenant({ fingerprint_tokens: 'false' });
    const creator = await fixture.publisher.application({ tenantId, permissions: ['token:create'] });
    expect(await fixture.gateway.create(creator, { type: 'token', data: 1 })).not.to.have.property(
      'fingerprint',
    );
    // The default expression of a fingerprint takes more work for this than a request may do.
    const many = { type: 'token', data: Array.from({ length: 250_000 }, () => []) };
    expect(await fixture.gateway.create(creator, many)).to.have.property('id');
    expect((await failureOf(fixture.gateway.create(fixture.owner, many))).errors).to.have.all.keys(
      'fingerprint_expression',
    );
  });

  it('are refused when their id is taken, and made when what took it is gone', async () => {
    const { gateway, owner } = fixture;
    await fixture.token(1, { id: 'taken' });
    const failure = await failureOf(gateway.create(owner, { id: 'taken', type: 'token', data: 2 }));
    expect(failure.code).to.equal('conflict');
    expect(await gateway.use(owner, ['taken'])).to.deep.equal([1]);
    const foreigner = await fixture.foreigner();
    expect((await gateway.create(foreigner, { id: 'taken', type: 'token', data: 3 }))['id']).to.equal(
      'taken',
    );
    await gateway.delete(owner, 'taken');
    await gateway.create(owner, { id: 'taken', type: 'token', data: 4 });
    expect(await gateway.use(owner, ['taken'])).to.deep.equal([4]);
  });

  it('get no id from an alias that takes more work than is left of the budget of the request', async () => {
    const create = (length: number) =>
      fixture.gateway.create(fixture.owner, {
        id: "{{ data | strip_html | size | append: '-0000' | alias_preserve_format: 0, 4 }}",
        type: 'token',
        data: `${'<a>'.repeat(length)}12345678`,
        fingerprint_expression: '{{ data | size }}',
      });
    expect(await create(10_000)).to.have.property('id');
    // It is evaluated twice: when it is checked, and for the id.
    expect((await failureOf(create(40_000))).message).to.equal('The expression takes too much work.');
  });

  it('get ids from an alias expression, and random ones when its space is used up', async () => {
    const alias = (data: string) =>
      fixture.token(data, { id: '{{ data | alias_preserve_format: 0, 4 }}', containers: ['/x/'] });
    expect(await alias('555-01-2222')).to.match(/^\d{3}-\d\d-2222$/);
    const ids: string[] = [];
    for (let i = 0; i < 14; i += 1) ids.push(await alias('a-5-2222'.slice(2)));
    expect(new Set(ids).size).to.equal(14);
    expect(ids.filter((id) => /^\d-2222$/.test(id)).length).to.be.within(1, 10);
    expect(ids.filter((id) => uuid.test(id)).length).to.be.at.least(4);
  });

  describe('made by tokenize', () => {
    it('stand where their values stood', async () => {
      const { gateway, owner } = fixture;
      const body = {
        holder: 'Ann',
        card: { type: 'card', data: card },
        tags: ['a', { type: 'token', data: 'b', id: 'tag b' }],
        nothing: null,
        flag: false,
        empty: {},
      };
      const result = (await gateway.tokenize(owner, body)) as {
        holder: string;
        card: { id: string; data: unknown };
        tags: [string, { id: string }];
        nothing: null;
        flag: string;
        empty: object;
      };
      expect(result.card).to.include({ type: 'card', tenant_id: fixture.tenantId });
      expect(result.card.data).to.deep.equal(card);
      expect(result.tags[1]).to.include({ id: 'tag b', data: 'b' });
      expect(result.nothing).to.equal(null);
      expect(result.empty).to.deep.equal({});
      const ids = [result.holder, result.card.id, result.tags[0], result.tags[1].id, result.flag];
      expect(await gateway.use(owner, ids)).to.deep.equal(['Ann', card, 'a', 'b', false]);
    });

    it('are all made, or none', async () => {
      const { gateway, owner } = fixture;
      const count = async () => (await fixture.sql<{ n: string }>('SELECT count(*) AS n FROM token'))[0]?.n;
      await fixture.token(1, { id: 'occupied' });
      const before = await count();
      const invalid = await failureOf(
        gateway.tokenize(owner, { a: 'x', b: { type: 'card', data: {} }, c: [{ type: 'nope', data: 1 }] }),
      );
      expect(invalid.code).to.equal('invalid_argument');
      expect(Object.keys(invalid.errors)).to.include.members(['b.data.number', 'c[0].type']);
      const conflicting = gateway.tokenize(owner, ['x', { type: 'token', data: 1, id: 'occupied' }]);
      expect((await failureOf(conflicting)).code).to.equal('conflict');
      const twice = { type: 'token', data: 1, id: 'twice in one' };
      expect((await failureOf(gateway.tokenize(owner, [twice, twice]))).code).to.equal('conflict');
      const creator = await fixture.application(
        [],
        [{ container: '/general/', transform: 'mask', permissions: ['token:create'] }],
      );
      const denied = gateway.tokenize(creator, ['x', { type: 'card', data: card }]);
      expect((await failureOf(denied)).code).to.equal('permission_denied');
      expect(await count()).to.equal(before);
    });
  });
});
