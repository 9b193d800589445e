import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { type AnotherVault, Fixture, card, ownerRule } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const read = { deduplicated: true, deduplication_behavior: 'read_existing' };
const update = { deduplicated: true, deduplication_behavior: 'update_existing' };

describe('deduplication', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  before(async () => {
    fixture = await Fixture.start();
    other = await fixture.anotherVault();
  });
  after(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  /** A tenant with these settings, and an application that may do everything there. */
  const tenantWith = async (settings: Record<string, string>) => {
    const tenantId = await fixture.publisher.tenant(settings);
    const owner = await fixture.publisher.application({ tenantId, rules: [ownerRule] });
    const application = (permissions: string[]) => fixture.publisher.application({ tenantId, permissions });
    return { tenantId, owner, application };
  };
  const create = (caller: TestApplication, body: object) => fixture.gateway.create(caller, body);
  const count = async (tenantId: string) =>
    Number(
      (
        await fixture.sql<{ n: string }>('SELECT count(*) AS n FROM token WHERE tenant_id = $1', [tenantId])
      )[0]?.n,
    );

  it('happens when a request asks for it', async () => {
    const { owner } = await tenantWith({});
    const first = await create(owner, { type: 'token', data: 'a' });
    expect(first).not.to.have.property('_extras');
    const second = await create(owner, { type: 'token', data: 'a' });
    expect(second['id']).not.to.equal(first['id']);
    const third = await create(owner, { type: 'token', data: 'a', deduplicate_token: true });
    expect(third).to.deep.equal({ ...first, _extras: read });
    const fresh = await create(owner, { type: 'token', data: 'b', deduplicate_token: true });
    expect(fresh['_extras']).to.deep.equal({ deduplicated: false });
    const { _extras: _, ...rest } = fresh;
    expect(await fixture.gateway.get(owner, String(fresh['id']))).to.deep.equal(rest);
  });

  it('happens when the tenant has set it, unless a request says otherwise', async () => {
    const { owner } = await tenantWith({ deduplicate_tokens: 'true' });
    const first = await create(owner, { type: 'card', data: card });
    expect(first['_extras']).to.deep.equal({ deduplicated: false });
    const again = await create(owner, {
      type: 'card',
      data: { ...card, expiration_year: 2035 },
      id: 'not this one',
    });
    expect(again).to.deep.include({ id: first['id'], data: card, _extras: read });
    const forced = await create(owner, { type: 'card', data: card, deduplicate_token: false });
    expect(forced['id']).not.to.equal(first['id']);
    expect(forced).not.to.have.property('_extras');
    expect((await create(owner, { type: 'card_number', data: card.number }))['id']).not.to.equal(first['id']);
  });

  it('happens also where tokens have no fingerprints otherwise', async () => {
    const { owner } = await tenantWith({ fingerprint_tokens: 'false' });
    expect(await create(owner, { type: 'token', data: 1 })).not.to.have.property('fingerprint');
    const first = await create(owner, { type: 'token', data: 1, deduplicate_token: true });
    expect(first).to.have.property('fingerprint');
    expect((await create(owner, { type: 'token', data: 1, deduplicate_token: true }))['id']).to.equal(
      first['id'],
    );
    const asked = await create(owner, {
      type: 'token',
      data: 1,
      fingerprint_expression: '{{ data | stringify }}',
    });
    expect(asked['fingerprint']).to.equal(first['fingerprint']);
  });

  it('never happens across tenants', async () => {
    const [one, two] = [await tenantWith({}), await tenantWith({})];
    const body = { type: 'token', data: 'same', deduplicate_token: true };
    const ids = [(await create(one.owner, body))['id'], (await create(two.owner, body))['id']];
    expect(ids[0]).not.to.equal(ids[1]);
  });

  it('shows hardly more than the id to a caller who may not read the token', async () => {
    const { owner, application } = await tenantWith({ deduplicate_tokens: 'true' });
    const first = await create(owner, { type: 'card', data: card, metadata: { secret: 'x' } });
    const creator = await application(['token:create']);
    const { id, tenant_id, type, fingerprint, containers } = first;
    expect(await create(creator, { type: 'card', data: card })).to.deep.equal({
      ...{ id, tenant_id, type, fingerprint, containers },
      _extras: read,
    });
    const reader = await application(['token:create', 'token:read']);
    const shown = await create(reader, { type: 'card', data: card });
    expect(shown['data']).to.deep.equal({
      number: 'XXXXXXXXXXXX4242',
      expiration_month: 12,
      expiration_year: 2030,
    });
    expect(shown['metadata']).to.deep.equal({ secret: 'x' });
  });

  it('needs the right to create all the same', async () => {
    const { owner, application } = await tenantWith({ deduplicate_tokens: 'true' });
    await create(owner, { type: 'token', data: 'a' });
    const reader = await application(['token:read']);
    expect((await failureOf(create(reader, { type: 'token', data: 'a' }))).code).to.equal(
      'permission_denied',
    );
  });

  it('takes no expired token for an equal', async () => {
    const { owner } = await tenantWith({ deduplicate_tokens: 'true' });
    const expiring = { type: 'token', data: 'a', expires_at: new Date(Date.now() + 60_000).toISOString() };
    const first = await create(owner, expiring);
    expect((await create(owner, { type: 'token', data: 'a' }))['id']).to.equal(first['id']);
    await fixture.edit(`expires_at = now() - interval '1 second'`, [String(first['id'])]);
    expect((await create(owner, { type: 'token', data: 'a' }))['id']).not.to.equal(first['id']);
  });

  it('makes one token of many requests at once, through several vaults', async () => {
    const { owner, tenantId } = await tenantWith({ deduplicate_tokens: 'true' });
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const client = i % 2 === 0 ? fixture.gateway : other.gateway;
        return i % 3 === 0
          ? client.tokenize(owner, [`v${i % 5}`, `v${(i + 1) % 5}`]).then((ids) => (ids as string[])[0])
          : client.create(owner, { type: 'token', data: `v${i % 5}` }).then(({ id }) => id);
      }),
    );
    expect(new Set(made).size).to.equal(5);
    expect(await count(tenantId)).to.equal(5);
  });

  it('makes one token of equal values in one tokenize request', async () => {
    const { owner, tenantId } = await tenantWith({ deduplicate_tokens: 'true' });
    const result = (await fixture.gateway.tokenize(owner, {
      a: 'x',
      b: ['x', { type: 'token', data: 'x' }, { type: 'token', data: 'x', deduplicate_token: false }],
    })) as { a: string; b: [string, { id: string; _extras: object; data: string }, { id: string }] };
    expect([result.b[0], result.b[1].id]).to.deep.equal([result.a, result.a]);
    expect(result.b[1]).to.deep.include({ data: 'x', _extras: read });
    expect(result.b[2].id).not.to.equal(result.a);
    expect(await count(tenantId)).to.equal(2);
  });

  it('makes the token under an alias once, whatever the alias would have been', async () => {
    const { owner } = await tenantWith({ deduplicate_tokens: 'true' });
    const body = { type: 'token', data: '555-01-2222', id: '{{ data | alias_preserve_format: 0, 4 }}' };
    expect((await create(owner, body))['id']).to.equal((await create(owner, body))['id']);
  });

  it('has a record that says so', async () => {
    const { owner, application } = await tenantWith({ deduplicate_tokens: 'true' });
    const { id } = await create(owner, { type: 'token', data: 'a' });
    const creator = await application(['token:create']);
    await create(creator, { type: 'token', data: 'a' });
    const rows = await fixture.audit(creator);
    expect(
      rows.map(({ operation, token_id, purpose, view }) => ({ operation, token_id, purpose, view })),
    ).to.deep.equal([{ operation: 'create', token_id: id, purpose: 'deduplicated', view: null }]);
  });

  describe('with update_existing', () => {
    const settings = { deduplicate_tokens: 'true', token_deduplication_behavior: 'update_existing' };

    it('evaluates the masks of all tokens of a request within one budget', async () => {
      const { owner } = await tenantWith(settings);
      const request = (at: number) => ({
        type: 'token',
        data: { key: `costly ${at}`, text: '<a>'.repeat(17_000) },
        fingerprint_expression: '{{ data.key }}',
      });
      const mask = '{{ data.text | strip_html | size }}';
      for (let at = 0; at < 6; at += 1) await create(owner, { ...request(at), mask });
      const tokenize = (count: number) =>
        fixture.gateway.tokenize(
          owner,
          Array.from({ length: count }, (_, at) => request(at)),
        );
      expect(await tokenize(2)).to.have.nested.property('[1]._extras.deduplicated', true);
      const { errors } = await failureOf(tokenize(6));
      expect(errors?.['[4].mask']).to.deep.equal(['The expression takes too much work.']);
    });

    it('gives the old token the new data and metadata', async () => {
      const { owner } = await tenantWith(settings);
      const first = await create(owner, {
        type: 'card',
        data: card,
        metadata: { a: '1' },
        search_indexes: ['{{ data.expiration_year }}'],
      });
      const newer = { number: card.number, expiration_month: 1, expiration_year: 2040 };
      const again = await create(owner, { type: 'card', data: newer, metadata: { b: '2' } });
      expect(again).to.deep.include({
        id: first['id'],
        data: newer,
        metadata: { b: '2' },
        created_at: first['created_at'],
        _extras: update,
      });
      expect(again).to.have.property('modified_at');
      expect(await other.gateway.use(owner, [String(first['id'])])).to.deep.equal([newer]);
      const without = await create(owner, { type: 'card', data: newer });
      expect(without['metadata']).to.deep.equal({ b: '2' });
    });

    it('leaves the token as it is when the caller may not update it', async () => {
      const { owner, application } = await tenantWith(settings);
      const first = await create(owner, { type: 'card', data: card });
      const creator = await application(['token:create', 'token:read']);
      const again = await create(creator, { type: 'card', data: { ...card, expiration_year: 2040 } });
      expect(again['_extras']).to.deep.equal(read);
      expect(await fixture.gateway.use(owner, [String(first['id'])])).to.deep.equal([card]);
    });

    it('records the change', async () => {
      const { owner, application } = await tenantWith(settings);
      const { id } = await create(owner, { type: 'card', data: card });
      const updater = await application(['token:create', 'token:update']);
      await create(updater, { type: 'card', data: card });
      const rows = await fixture.audit(updater);
      expect(
        rows.map(({ operation, token_id, purpose }) => ({ operation, token_id, purpose })),
      ).to.deep.equal([
        { operation: 'update', token_id: id, purpose: 'deduplicated' },
        { operation: 'create', token_id: id, purpose: 'deduplicated' },
      ]);
    });

    it('refuses data that the old token cannot take, and says where it stood', async () => {
      const { owner } = await tenantWith(settings);
      await create(owner, {
        type: 'token',
        data: { k: 1, v: 'x' },
        fingerprint_expression: '{{ data.k }}',
        search_indexes: ['{{ data.v }}'],
      });
      const body = { list: [{ type: 'token', data: { k: 1 }, fingerprint_expression: '{{ data.k }}' }] };
      const failure = await failureOf(fixture.gateway.tokenize(owner, body));
      expect(Object.keys(failure.errors)).to.deep.equal(['list[0].search_indexes[0]']);
    });

    it('settles on one state when many come at once', async () => {
      const { owner, tenantId } = await tenantWith(settings);
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 === 0 ? fixture.gateway : other.gateway).create(owner, {
            type: 'card',
            data: { ...card, expiration_year: 2030 + i },
          }),
        ),
      );
      expect(new Set(made.map(({ id }) => id)).size).to.equal(1);
      expect(await count(tenantId)).to.equal(1);
    });
  });

  describe('of an update', () => {
    it('answers with the token that has the value already, and changes nothing', async () => {
      const { owner, application } = await tenantWith({ deduplicate_tokens: 'true' });
      const one = await create(owner, { type: 'token', data: 'one' });
      const two = await create(owner, { type: 'token', data: 'two' });
      const answer = await fixture.gateway.update(owner, String(two['id']), { data: 'one' });
      expect(answer).to.deep.include({ id: one['id'], data: 'one', _extras: read });
      expect(await fixture.gateway.use(owner, [String(two['id'])])).to.deep.equal(['two']);
      const updater = await application(['token:update']);
      const { id, tenant_id, type, fingerprint, containers } = one;
      expect(await fixture.gateway.update(updater, String(two['id']), { data: 'one' })).to.deep.equal({
        ...{ id, tenant_id, type, fingerprint, containers },
        _extras: read,
      });
      const unlike = await fixture.gateway.update(owner, String(two['id']), {
        data: 'one',
        deduplicate_token: false,
      });
      expect(unlike).to.include({ id: two['id'], data: 'one' });
    });

    it('leaves alone a token whose value stays', async () => {
      const { owner } = await tenantWith({});
      const one = await create(owner, { type: 'token', data: 'x' });
      const two = await create(owner, { type: 'token', data: 'x' });
      const answer = await fixture.gateway.update(owner, String(two['id']), {
        metadata: { a: '1' },
        deduplicate_token: true,
      });
      expect(answer['id']).to.equal(two['id']).and.not.to.equal(one['id']);
    });

    it('makes no second token of a value when creations and updates come at once', async () => {
      const { owner, tenantId } = await tenantWith({ deduplicate_tokens: 'true' });
      const ids = await Promise.all(
        Array.from({ length: 6 }, async (_, i) =>
          String((await create(owner, { type: 'token', data: `own ${i}` }))['id']),
        ),
      );
      await Promise.all([
        ...ids.map((id, i) =>
          (i % 2 === 0 ? fixture.gateway : other.gateway).update(owner, id, { data: 'wanted by all' }),
        ),
        create(owner, { type: 'token', data: 'wanted by all' }),
      ]);
      const rows = await fixture.sql<{ n: string }>(
        'SELECT count(*) AS n FROM token WHERE tenant_id = $1 GROUP BY fingerprint ORDER BY 1 DESC',
        [tenantId],
      );
      expect(rows[0]?.n).to.equal('1');
    });
  });
});
