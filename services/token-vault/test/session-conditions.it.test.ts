import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { codeOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('sessions with conditions', () => {
  let fixture: Fixture;
  const name = randomUUID();
  const [mine, other] = [`${name}:mine`, `${name}:other`];
  const container = `/${name}/`;
  before(async () => {
    fixture = await Fixture.start();
    await fixture.token('m', { id: mine, containers: [`${container}a/`] });
    await fixture.token('o', { id: other, containers: [`${container}b/`] });
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** A session that may do everything where all of them hold. */
  const under = async (...conditions: object[]): Promise<TestApplication> => {
    const { tenantId, publisher, gateway, owner } = fixture;
    const maker = await publisher.application({ tenantId, type: 'public' });
    const { session_key, nonce } = await gateway.createSession(maker);
    const permissions = ['token:read', 'token:search', 'token:use', 'token:delete', 'token:update'];
    await gateway.authorizeSession(owner, {
      nonce,
      rules: [{ priority: 1, conditions, transform: 'reveal', permissions }],
    });
    return { ...owner, key: session_key };
  };
  const cases: readonly (readonly [string, readonly object[]])[] = [
    ['an id', [{ attribute: 'id', operator: 'equals', value: mine }]],
    ['the start of an id', [{ attribute: 'ID', operator: 'STARTS_WITH', value: `${name}:m` }]],
    ['a container', [{ attribute: 'container', operator: 'equals', value: `${container.toUpperCase()}a/` }]],
    [
      'the start of a container',
      [{ attribute: 'container', operator: 'starts_with', value: `${container}a` }],
    ],
    [
      'several at once',
      [
        { attribute: 'id', operator: 'starts_with', value: name },
        { attribute: 'container', operator: 'starts_with', value: container },
        { attribute: 'container', operator: 'equals', value: `${container}a/` },
      ],
    ],
  ];
  for (const [what, conditions] of cases) {
    it(`reach only the tokens of ${what}, by every operation`, async () => {
      const session = await under(...conditions);
      const { gateway } = fixture;
      const ids = (page: { readonly data: readonly Record<string, unknown>[] }) =>
        page.data.map(({ id }) => id);
      expect((await gateway.get(session, mine))['data']).to.equal('m');
      expect(await codeOf(gateway.get(session, other))).to.equal('permission_denied');
      expect(await gateway.use(session, [mine])).to.deep.equal(['m']);
      expect(await codeOf(gateway.use(session, [mine, other]))).to.equal('permission_denied');
      expect(ids(await gateway.list(session, `id=${mine}&id=${other}`))).to.deep.equal([mine]);
      expect(ids(await gateway.search(session, { query: `container:${container}*` }))).to.deep.equal([mine]);
      expect(await codeOf(gateway.update(session, mine, { metadata: { a: what } }))).to.equal('ok');
      expect(await codeOf(gateway.update(session, other, { metadata: { a: what } }))).to.equal(
        'permission_denied',
      );
      expect(await codeOf(gateway.delete(session, other))).to.equal('permission_denied');
    });
  }

  it('may be for the id of a token whose container the application holds, and only while it is there', async () => {
    const { tenantId, publisher, gateway, owner } = fixture;
    const maker = await publisher.application({ tenantId, type: 'public' });
    const permissions = ['token:read', 'token:use'];
    const rule = { priority: 1, transform: 'reveal', permissions };
    const holder = await fixture.application([], [{ ...rule, container: `${container}a/` }]);
    const session = async (...values: string[]) => {
      const { session_key, nonce } = await gateway.createSession(maker);
      const rules = values.map((value, index) => ({
        ...rule,
        priority: index + 1,
        conditions: [{ attribute: 'id', operator: 'equals', value }],
      }));
      const code = await codeOf(gateway.authorizeSession(holder, { nonce, rules }));
      return { code, application: { ...owner, key: session_key } };
    };
    const token = await fixture.token('t', { containers: [`${container}a/`] });
    const one = await session(token, mine);
    expect(one.code).to.equal('ok');
    expect(await gateway.use(one.application, [token])).to.deep.equal(['t']);
    expect((await gateway.get(one.application, mine))['data']).to.equal('m');

    for (const ids of [[other], [randomUUID()], [token, other]]) {
      expect([ids, (await session(...ids)).code]).to.deep.equal([ids, 'permission_denied']);
    }

    await gateway.update(owner, token, { containers: [`${container}b/`] });
    expect(await codeOf(gateway.get(one.application, token))).to.equal('permission_denied');
  });

  it('reach nothing where conditions exclude each other', async () => {
    const session = await under(
      { attribute: 'id', operator: 'equals', value: mine },
      { attribute: 'id', operator: 'equals', value: other },
    );
    expect(await codeOf(fixture.gateway.get(session, mine))).to.equal('permission_denied');
    expect((await fixture.gateway.list(session)).data).to.deep.equal([]);
  });
});
