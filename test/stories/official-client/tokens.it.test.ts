import { expect } from 'chai';

import type { Json } from '../../harness/api.ts';
import { describeOfficialClient, refusal } from '../../harness/official-client.ts';
import { type System, sharedSystem } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';

const number = '4242424242424242';
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describeOfficialClient('tokens', ({ major, connect }) => {
  let system: System;
  let bt: Json;
  before(async () => {
    system = await sharedSystem();
    bt = await connect(system, system.dev.private_api_key);
  });

  const card = { type: 'card', data: { number, expiration_month: 12, expiration_year: 2031, cvc: '123' } };
  const unique = (text: string) => `${text}-${major}-${process.hrtime.bigint()}`;

  it('makes a token, and gives it in camel case with its data and metadata untouched', async () => {
    const data = { snake_key: [1, { camelKey: null }] };
    const made = await bt.tokens.create({
      type: 'token',
      data,
      metadata: { userId: '5', user_id: '6' },
      containers: ['/clients/'],
      searchIndexes: ['{{ data.snake_key[0] }}'],
      fingerprintExpression: '{{ data.snake_key[0] }}',
      expiresAt: '2099-01-01T00:00:00Z',
    });
    expect(made).to.deep.include({
      tenantId: system.dev.tenant_id,
      type: 'token',
      metadata: { userId: '5', user_id: '6' },
      containers: ['/clients/'],
      searchIndexes: ['{{ data.snake_key[0] }}'],
      fingerprintExpression: '{{ data.snake_key[0] }}',
    });
    expect(made.id).to.match(uuid);
    expect(made.fingerprint).to.match(/^[\dA-Za-z]{20,100}$/);
    expect(Date.parse(made.expiresAt)).to.equal(Date.parse('2099-01-01T00:00:00Z'));
    expect(Date.parse(made.createdAt)).to.be.closeTo(Date.now(), 60_000);
    const read = await bt.tokens.retrieve(made.id);
    expect(read).to.deep.include({ id: made.id, data, createdBy: made.createdBy });
  });

  it('gives a card as the rule of the key shows it', async () => {
    const { id } = await bt.tokens.create(card);
    expect((await bt.tokens.retrieve(id)).data).to.deep.equal(card.data);
    const { privileged, masked } = { privileged: bt, masked: await connect(system, await maskedKey()) };
    expect((await masked.tokens.retrieve(id)).data).to.deep.equal({
      number: 'XXXXXXXXXXXX4242',
      expiration_month: 12,
      expiration_year: 2031,
    });
    expect((await privileged.tokens.retrieve(id)).containers).to.deep.equal(['/pci/high/']);
  });

  const maskedKey = async (): Promise<string> => {
    const owner = await connect(system, system.dev.management_api_key);
    const permissions = ['token:read', 'token:create'];
    return (await owner.applications.create({ name: 'masked', type: 'private', permissions })).key;
  };

  it('changes a token by merging, and takes a property away by null', async () => {
    const { id } = await bt.tokens.create({
      type: 'token',
      data: { a: 'one', b: 'two' },
      metadata: { x: '1' },
    });
    const changed = await bt.tokens.update(id, {
      data: { a: 'uno', b: null, c: 'secret' },
      metadata: { y: '2' },
      containers: ['/moved/'],
    });
    expect(changed).to.deep.include({ id, metadata: { x: '1', y: '2' }, containers: ['/moved/'] });
    expect(changed.modifiedAt).to.be.a('string');
    expect((await bt.tokens.retrieve(id)).data).to.deep.equal({ a: 'uno', c: 'secret' });
  });

  it('deletes a token, which is not found any more', async () => {
    const { id } = await bt.tokens.create({ type: 'token', data: 'x' });
    await bt.tokens.delete(id);
    expect(await refusal(bt.tokens.retrieve(id))).to.include({ name: 'BasisTheoryApiError', status: 404 });
  });

  it('lists by ids, types and metadata, in pages', async () => {
    const customer = unique('customer');
    const ids: string[] = [];
    for (const data of ['a', 'b', 'c'])
      ids.push((await bt.tokens.create({ type: 'token', data, metadata: { forCustomer: customer } })).id);
    const byIds = await bt.tokens.list({ id: ids.slice(0, 2), type: ['token', 'card'] });
    expect(byIds.data.map(({ id }: Json) => id)).to.have.members(ids.slice(0, 2));
    const page = await bt.tokens.list({ metadata: { forCustomer: customer }, page: 2, size: 2 });
    expect(page.pagination).to.deep.equal({ totalItems: 3, pageNumber: 2, pageSize: 2, totalPages: 2 });
    expect(page.data.map(({ id }: Json) => id)).to.deep.equal([ids[0]]);
  });

  it('finds by a query', async () => {
    const ssn = `${process.hrtime.bigint()}`.slice(-9);
    const { id } = await bt.tokens.create({ type: 'social_security_number', data: ssn });
    const found = async () => (await bt.tokens.search({ query: `data:${ssn}`, page: 1, size: 5 })).data;
    await until('it is found', async () => (await found()).length > 0);
    expect((await found()).map((one: Json) => one.id)).to.deep.equal([id]);
  });

  it('gives an equal token again instead of a second one', async () => {
    const data = unique('same');
    const first = await bt.tokens.create({ type: 'token', data });
    const second = await bt.tokens.create({ type: 'token', data, deduplicateToken: true });
    expect(second.id).to.equal(first.id);
  });

  it('tokenizes any structure', async () => {
    const result = await bt.tokenize({
      holder: 'Ann',
      card,
      tags: ['a', { type: 'token', data: 'b' }],
      none: null,
    });
    expect(result.holder).to.match(uuid);
    expect(result.card).to.include({ type: 'card', tenant_id: system.dev.tenant_id });
    expect(result.tags[0]).to.match(uuid);
    expect((await bt.tokens.retrieve(result.tags[1].id)).data).to.equal('b');
    expect((await bt.tokens.retrieve(result.holder)).data).to.equal('Ann');
  });

  it('makes an alias of the given form', async () => {
    const id = `usr_{{ data | slice: 0, 2 }}_${unique('x')}`;
    expect((await bt.tokens.create({ id, type: 'token', data: 'ann' })).id).to.match(/^usr_an_x-/);
  });

  it('says what is wrong, in camel case', async () => {
    const error = await refusal(
      bt.tokens.create({ type: 'card', data: { number: '1' }, expiresAt: 'never' }),
    );
    expect(error).to.include({ name: 'BasisTheoryApiError', status: 400 });
    expect(error.message).to.equal('Request failed with status code 400');
    expect(error.data).to.include({ status: 400 }).and.to.have.property('title');
    expect(Object.keys(error.data.errors)).to.include('expiresAt');
  });

  it('may be called with another key, a correlation id and an idempotency key', async () => {
    const options = { apiKey: 'key_1111111111111111111111' };
    expect((await refusal(bt.tokens.retrieve('x', options))).status).to.equal(401);
    const once = { correlationId: unique('c'), idempotencyKey: unique('i') };
    const [one, again] = [
      await bt.tokens.create({ type: 'token', data: 1 }, once),
      await bt.tokens.create({ type: 'token', data: 2 }, once),
    ];
    expect(again.id).to.equal(one.id);
  });

  if (major === 1) {
    it('associates tokens, and lists the children of one', async () => {
      const parent = await bt.tokens.create({ type: 'token', data: 'parent' });
      const child = await bt.tokens.create({ type: 'token', data: 'child' });
      await bt.tokens.createAssociation(parent.id, child.id);
      const another = await bt.tokens.createChild(parent.id, { type: 'card', data: card.data });
      const children = async (query?: object) =>
        (await bt.tokens.listChildren(parent.id, query)).data.map(({ id }: Json) => id);
      expect(await children()).to.have.members([child.id, another.id]);
      expect(await children({ type: 'card' })).to.deep.equal([another.id]);
      await bt.tokens.deleteAssociation(parent.id, child.id);
      expect(await children()).to.deep.equal([another.id]);
    });
  }
});
