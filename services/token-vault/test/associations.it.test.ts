import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('associations', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const childrenOf = async (parentId: string, query = '', caller: TestApplication = fixture.owner) =>
    (await fixture.gateway.list(caller, query, { parentId })).data.map(({ id }) => id);

  it('make one token the child of another, in this direction and once', async () => {
    const { gateway, owner } = fixture;
    const [parent, one, two] = [await fixture.token(1), await fixture.token(2), await fixture.token(card)];
    await gateway.associate(owner, parent, one);
    await gateway.associate(owner, parent, two);
    expect(await childrenOf(parent)).to.have.members([one, two]);
    expect(await childrenOf(one)).to.deep.equal([]);
    const again = await failureOf(gateway.associate(owner, parent, one));
    expect(again.code).to.equal('conflict');
    await gateway.associate(owner, one, parent);
    expect(await childrenOf(one)).to.deep.equal([parent]);
    expect((await failureOf(gateway.associate(owner, one, one))).code).to.equal('invalid_argument');
  });

  it('are listed as tokens are, with the same filters', async () => {
    const { gateway, owner } = fixture;
    const [parent, plain, pan] = [await fixture.token(1), await fixture.token(2), await fixture.token(card)];
    await gateway.associate(owner, parent, plain);
    await gateway.associate(owner, parent, pan);
    expect(await childrenOf(parent, 'type=card')).to.deep.equal([pan]);
    expect(await childrenOf(parent, `id=${plain}&id=${parent}`)).to.deep.equal([plain]);
    const { pagination, data } = await gateway.list(owner, 'size=1&page=2', { parentId: parent });
    expect(pagination).to.deep.equal({ total_items: 2, page_number: 2, page_size: 1, total_pages: 2 });
    expect(data).to.deep.equal([await gateway.get(owner, data[0]?.['id'] as string)]);
  });

  it('are removed on request, and with either token', async () => {
    const { gateway, owner } = fixture;
    const [parent, one, two] = [await fixture.token(1), await fixture.token(2), await fixture.token(3)];
    await gateway.associate(owner, parent, one);
    await gateway.associate(owner, parent, two);
    await gateway.dissociate(owner, parent, one);
    expect(await childrenOf(parent)).to.deep.equal([two]);
    expect((await failureOf(gateway.dissociate(owner, parent, one))).code).to.equal('not_found');
    expect((await failureOf(gateway.dissociate(owner, two, parent))).code).to.equal('not_found');
    await gateway.delete(owner, two);
    expect(await childrenOf(parent)).to.deep.equal([]);
    await gateway.associate(owner, parent, one);
    await gateway.delete(owner, parent);
    expect((await failureOf(gateway.list(owner, '', { parentId: parent }))).code).to.equal('not_found');
    expect(await fixture.sql('SELECT 1 FROM token_association WHERE parent_id = $1', [parent])).to.deep.equal(
      [],
    );
  });

  it('come with a token that is made as a child, or neither is made', async () => {
    const { gateway, owner } = fixture;
    const parent = await fixture.token(1);
    const child = await gateway.createChild(owner, parent, { type: 'card', data: card });
    expect(child).to.deep.include({ type: 'card', data: card });
    expect(await childrenOf(parent)).to.deep.equal([child['id']]);
    const body = { type: 'token', data: 'x', id: 'child of nobody' };
    expect((await failureOf(gateway.createChild(owner, 'no such token', body))).code).to.equal('not_found');
    expect((await failureOf(gateway.get(owner, 'child of nobody'))).code).to.equal('not_found');
    const failure = await failureOf(gateway.createChild(owner, parent, { type: 'card', data: {} }));
    expect(Object.keys(failure.errors)).to.deep.equal(['data.number']);
  });

  it('are made once with a deduplicated token', async () => {
    const { gateway, owner } = fixture;
    const body = { type: 'token', data: 'an equal', deduplicate_token: true };
    const equal = String((await gateway.create(owner, body))['id']);
    const parent = await fixture.token(1);
    for (let i = 0; i < 2; i += 1) {
      expect((await gateway.createChild(owner, parent, body))['id']).to.equal(equal);
      expect(await childrenOf(parent)).to.deep.equal([equal]);
    }
    expect((await failureOf(gateway.createChild(owner, equal, body))).code).to.equal('invalid_argument');
  });

  it('need the permissions on both tokens, and a record says who had them', async () => {
    const { gateway, owner } = fixture;
    const inside = await fixture.token(1, { containers: ['/in/'] });
    const beside = await fixture.token(2, { containers: ['/in/'] });
    const outside = await fixture.token(3, { containers: ['/out/'] });
    const actor = await fixture.application(
      [],
      [{ container: '/in/', transform: 'mask', permissions: ['token:read', 'token:delete', 'token:create'] }],
    );
    const denied = [
      () => gateway.associate(actor, inside, outside),
      () => gateway.associate(actor, outside, inside),
      () => gateway.dissociate(actor, outside, inside),
      () => gateway.createChild(actor, outside, { type: 'token', data: 1, containers: ['/in/'] }),
      () => gateway.createChild(actor, inside, { type: 'token', data: 1 }),
      () => gateway.list(actor, '', { parentId: outside }),
    ];
    for (const attempt of denied) expect((await failureOf(attempt())).code).to.equal('permission_denied');
    const unknown = [
      () => gateway.associate(actor, inside, 'no such token'),
      () => gateway.associate(actor, 'a/b', inside),
      () => gateway.dissociate(actor, 'no such token', inside),
      () => gateway.list(actor, '', { parentId: 'no such token' }),
    ];
    for (const attempt of unknown) expect((await failureOf(attempt())).code).to.equal('not_found');
    await gateway.associate(owner, inside, outside);
    await gateway.associate(actor, inside, beside);
    expect(await childrenOf(inside, '', actor)).to.deep.equal([beside]);
    await gateway.dissociate(actor, inside, beside);
    const rows = (await fixture.audit(actor)).filter(
      ({ outcome, operation }) => outcome === 'allowed' && operation !== 'read',
    );
    expect(
      rows.map(({ operation, token_id, purpose, purpose_id }) => [operation, token_id, purpose, purpose_id]),
    ).to.deep.equal([
      ['associate', inside, 'parent', beside],
      ['associate', beside, 'child', inside],
      ['dissociate', inside, 'parent', beside],
      ['dissociate', beside, 'child', inside],
    ]);
    const foreigner = await fixture.foreigner();
    expect((await failureOf(gateway.associate(foreigner, inside, beside))).code).to.equal('not_found');
    const creator = await fixture.application(['token:create']);
    expect((await failureOf(gateway.createChild(creator, inside, { type: 'token', data: 1 }))).code).to.equal(
      'permission_denied',
    );
  });

  it('of a token that has expired are gone', async () => {
    const { gateway, owner } = fixture;
    const parent = await fixture.token(1);
    const child = await fixture.token(2);
    await gateway.associate(owner, parent, child);
    await fixture.edit("expires_at = now(), expires_at_text = ''", [child]);
    expect(await childrenOf(parent)).to.deep.equal([]);
    expect((await failureOf(gateway.associate(owner, child, parent))).code).to.equal('not_found');
  });

  it('never outlive a token that is deleted at the same time', async () => {
    const { gateway, owner } = fixture;
    for (let round = 0; round < 15; round += 1) {
      const [parent, child] = [await fixture.token(1), await fixture.token(2)];
      const [associated] = await Promise.allSettled([
        gateway.associate(owner, parent, child),
        gateway.delete(owner, child),
      ]);
      if (associated.status === 'rejected') {
        expect((associated.reason as { code: string }).code).to.equal('not_found');
      }
      expect(await childrenOf(parent)).to.deep.equal([]);
    }
  });
});
