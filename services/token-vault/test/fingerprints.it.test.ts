import { expect } from 'chai';

import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

type Json = Record<string, unknown>;

describe('the fingerprint of a token', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const permissions = ['token:create', 'token:read', 'token:update', 'token:search'];
  const seeing = (transform: string) => fixture.application([], [{ container: '/', transform, permissions }]);
  /** The token in every answer that shows it to who has not sent its data. */
  const answersTo = async (by: TestApplication): Promise<Record<string, Json>> => {
    const { gateway, owner } = fixture;
    const id = await fixture.token(card);
    const parent = await fixture.token(1);
    await gateway.associate(owner, parent, id);
    const keyed = { idempotencyKey: `of ${by.id}` };
    const create = () => gateway.create(by, { type: 'card', data: card }, keyed);
    await gateway.update(owner, String((await create())['id']), { data: { cvc: '999' } });
    return {
      'an answer again, of what was changed since': await create(),
      get: await gateway.get(by, id),
      update: await gateway.update(by, id, { metadata: { a: '1' } }),
      list: (await gateway.list(by, `id=${id}`)).data[0] ?? {},
      children: (await gateway.list(by, '', { parentId: parent })).data[0] ?? {},
      search: (await gateway.search(by, { query: `id:${id}` })).data[0] ?? {},
    };
  };
  for (const transform of ['mask', 'redact']) {
    it(`is in no answer to who sees the token by ${transform}`, async () => {
      for (const [name, token] of Object.entries(await answersTo(await seeing(transform)))) {
        expect(token, name).not.to.have.property('fingerprint');
        expect(JSON.stringify(token), name).to.include('fingerprint_expression');
      }
    });
  }

  it('is in each answer to who sees the token in plain', async () => {
    const { fingerprint } = await fixture.gateway.get(fixture.owner, await fixture.token(card));
    for (const [name, token] of Object.entries(await answersTo(await seeing('reveal')))) {
      expect(token, name).to.include({ fingerprint }).and.to.have.property('data');
    }
  });

  it('is in the answer to who has sent its data', async () => {
    const { gateway } = fixture;
    const by = await seeing('mask');
    const create = () => gateway.create(by, { type: 'card', data: card }, { idempotencyKey: 'sent' });
    const { fingerprint } = await fixture.gateway.get(fixture.owner, await fixture.token(card));
    expect(await create()).to.include({ fingerprint });
    expect(await create()).to.include({ fingerprint });
    const made = await gateway.tokenize(by, { a: { type: 'card', data: card } });
    expect(made).to.have.nested.property('a.fingerprint', fingerprint);
  });

  it('is in the answer that gives an equal token', async () => {
    const { gateway, owner } = fixture;
    const data = 'sent twice';
    const { id, fingerprint } = await gateway.create(owner, { type: 'token', data });
    const body = { type: 'token', data, deduplicate_token: true };
    for (const by of [await seeing('mask'), await fixture.application(['token:create'])]) {
      for (const replay of [1, 2]) {
        const answer = await gateway.create(by, body, { idempotencyKey: 'equal' });
        expect(answer, `${replay}`).to.deep.include({ id, fingerprint });
      }
      expect(await gateway.tokenize(by, { a: body })).to.have.nested.property('a.fingerprint', fingerprint);
    }
  });
});
