import { Paging } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card, ownerRule } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('the list of tokens', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const newTenant = async () => {
    const tenantId = await fixture.publisher.tenant();
    const owner = await fixture.publisher.application({ tenantId, rules: [ownerRule] });
    const application = (permissions: string[], rules: object[] = []) =>
      fixture.publisher.application({ tenantId, permissions, rules });
    return { tenantId, owner, application };
  };
  const idsOf = async (caller: TestApplication, query = '') =>
    (await fixture.gateway.list(caller, query)).data.map(({ id }) => id);

  it('is empty for a tenant without tokens', async () => {
    const { owner } = await newTenant();
    expect(await fixture.gateway.list(owner)).to.deep.equal({
      pagination: { total_items: 0, page_number: 1, page_size: 20, total_pages: 0 },
      data: [],
    });
  });

  it('shows each token as it is shown alone, newest first', async () => {
    const { owner } = await newTenant();
    const { gateway } = fixture;
    const made: string[] = [];
    for (const data of [card, card]) {
      made.unshift(
        String(
          (await gateway.create(owner, { type: 'card', data, metadata: { n: String(made.length) } }))['id'],
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const page = await gateway.list(owner);
    expect(page.data).to.deep.equal(await Promise.all(made.map((id) => gateway.get(owner, id))));
    expect(page.pagination).to.deep.equal({ total_items: 2, page_number: 1, page_size: 20, total_pages: 1 });
  });

  it('is divided into pages that hold each token once', async () => {
    const { owner } = await newTenant();
    await fixture.gateway.tokenize(
      owner,
      Array.from({ length: 23 }, (_, i) => i),
    );
    const seen: unknown[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { pagination, data } = await fixture.gateway.list(owner, `page=${page}&size=7`);
      expect(pagination).to.deep.equal({ total_items: 23, page_number: page, page_size: 7, total_pages: 4 });
      seen.push(...data.map((token) => token['data']));
    }
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(
      Array.from({ length: 23 }, (_, i) => i),
    );
    const beyond = await fixture.gateway.list(owner, 'page=2147483647&size=100');
    expect(beyond.data).to.deep.equal([]);
    expect(beyond.pagination).to.include({ total_items: 23, total_pages: 1 });
  });

  it('goes on after a start, also while tokens come and go', async () => {
    const { owner } = await newTenant();
    const { gateway } = fixture;
    const ids = (await gateway.tokenize(
      owner,
      Array.from({ length: 12 }, (_, i) => i),
    )) as string[];
    for (const paging of [Paging.PAGING_NUMBERED, Paging.PAGING_CURSOR]) {
      const seen: unknown[] = [];
      let start = '';
      for (;;) {
        const { pagination, data } = await gateway.list(owner, `size=5&start=${start}`, { paging });
        seen.push(...data.map(({ id }) => id));
        expect(pagination).to.include({ page_size: 5 });
        expect(pagination['next']).to.equal(pagination['after']);
        if (pagination['next'] === undefined) break;
        start = pagination['next'] as string;
        await gateway.create(owner, { type: 'token', data: 'newer' });
      }
      expect(ids.filter((id) => !seen.includes(id))).to.deep.equal([]);
      expect(new Set(seen).size).to.equal(seen.length);
    }
  });

  it('by cursor is in the order of containers, and then newest first', async () => {
    const { owner } = await newTenant();
    const { gateway } = fixture;
    const made: [container: string, id: string][] = [];
    for (const container of ['/b/', '/a/', '/a-/', '/b/', '/a/x/', '/a/']) {
      made.push([
        container,
        String((await gateway.create(owner, { type: 'token', data: 1, containers: [container] }))['id']),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const expected = made
      .toReversed()
      .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
      .map(([, id]) => id);
    const seen: unknown[] = [];
    for (let start = ''; ;) {
      const { pagination, data } = await gateway.list(owner, `size=2&start=${start}`, {
        paging: Paging.PAGING_CURSOR,
      });
      seen.push(...data.map(({ id }) => id));
      if (pagination['next'] === undefined) break;
      start = pagination['next'] as string;
    }
    expect(seen).to.deep.equal(expected);
  });

  describe('is narrowed', () => {
    let owner: TestApplication;
    const id: Record<string, string> = {};
    before(async () => {
      ({ owner } = await newTenant());
      const make = async (name: string, body: object) => {
        id[name] = String(
          (await fixture.gateway.create(owner, { type: 'token', data: name, ...body }))['id'],
        );
      };
      await make('plain', { id: 'my id "ü"' });
      await make('card', { type: 'card', data: card, metadata: { userId: '5', Color: 'Red' } });
      await make('number', {
        type: 'card_number',
        data: card.number,
        metadata: { userId: '6', color: 'blue' },
      });
      await make('accent', { metadata: { name: 'Ame\u0301lie ÉCOLE' }, containers: ['/customer-1/a/'] });
      await make('deep', { containers: ['/customer-1/'] });
      await make('beside', { containers: ['/customer-10/'] });
    });
    const named = async (query: string) => {
      const found = await idsOf(owner, query);
      return Object.keys(id).filter((name) => found.includes(id[name]));
    };

    it('by id', async () => {
      expect(await named(`id=${id['card']}&id=${encodeURIComponent('my id "ü"')}&id=nope`)).to.deep.equal([
        'plain',
        'card',
      ]);
      expect(await named('id=nope')).to.deep.equal([]);
      expect(await named('id=%00')).to.deep.equal([]);
      expect(await named('id=%ff')).to.deep.equal([]);
    });

    it('by type', async () => {
      expect(await named('type=card&type=card_number')).to.deep.equal(['card', 'number']);
      expect(await named('type=Card')).to.deep.equal([]);
    });

    it('by metadata, in which the case of values does not count, nor how accents are composed', async () => {
      expect(await named('metadata.userId=5')).to.deep.equal(['card']);
      expect(await named('metadata.Color=rED')).to.deep.equal(['card']);
      expect(await named('metadata.color=BLUE')).to.deep.equal(['number']);
      expect(await named('metadata.userid=5')).to.deep.equal([]);
      expect(await named(`metadata.name=${encodeURIComponent('AM\u00c9LIE \u00e9cole')}`)).to.deep.equal([
        'accent',
      ]);
      expect(await named('metadata.userId=5&metadata.Color=red')).to.deep.equal(['card']);
      expect(await named('metadata.userId=5&metadata.Color=blue')).to.deep.equal([]);
      expect(await named(`metadata=${encodeURIComponent('{"userId":"6"}')}`)).to.deep.equal(['number']);
      expect(await named('metadata.userId=%00')).to.deep.equal([]);
    });

    it('by fingerprint and container', async () => {
      const { fingerprint } = await fixture.gateway.get(owner, id['card'] as string);
      expect(await named(`fingerprint=${String(fingerprint)}`)).to.deep.equal(['card']);
      expect(await named('container=/Customer-1/')).to.deep.equal(['accent', 'deep']);
    });

    it('by all of them together, and the pages count what is left', async () => {
      expect(await named('type=card&metadata.userId=6')).to.deep.equal([]);
      const { pagination } = await fixture.gateway.list(owner, 'type=card&type=card_number&size=1');
      expect(pagination).to.deep.equal({ total_items: 2, page_number: 1, page_size: 1, total_pages: 2 });
    });

    it('or refused, with every problem named', async () => {
      const failure = await failureOf(fixture.gateway.list(owner, 'page=x&size=101&metadata=5'));
      expect(failure.code).to.equal('invalid_argument');
      expect(Object.keys(failure.errors)).to.have.members(['page', 'size', 'metadata']);
    });
  });

  it('holds no token that the caller may not read, and counts none', async () => {
    const { owner, application } = await newTenant();
    const { gateway } = fixture;
    const make = (container: string) =>
      gateway
        .create(owner, { type: 'card', data: card, containers: [container] })
        .then(({ id }) => String(id));
    const [high, low, other] = [await make('/pci/high/'), await make('/pci/low/'), await make('/other/')];
    const reader = await application(
      [],
      [
        { container: '/pci/high/', transform: 'mask', permissions: ['token:read'] },
        { container: '/pci/', transform: 'reveal', permissions: ['token:read'] },
      ],
    );
    const { pagination, data } = await gateway.list(reader);
    expect(pagination['total_items']).to.equal(2);
    const shown = new Map(data.map((token) => [token['id'], token['data']]));
    expect([...shown.keys()]).to.have.members([high, low]);
    expect(shown.get(low)).to.deep.equal(card);
    expect(shown.get(high)).to.deep.equal({
      number: 'XXXXXXXXXXXX4242',
      expiration_month: 12,
      expiration_year: 2030,
    });
    expect(await idsOf(reader, `id=${other}`)).to.deep.equal([]);
    const redacted = await application(
      [],
      [{ container: '/', transform: 'redact', permissions: ['token:read'] }],
    );
    for (const token of (await gateway.list(redacted)).data) expect(token).not.to.have.property('data');
    expect(await idsOf(await fixture.foreigner())).to.deep.equal([]);
  });

  it('holds no token that has expired, whether or not it has been removed', async () => {
    const { owner } = await newTenant();
    const { id } = await fixture.gateway.create(owner, { type: 'token', data: 1 });
    expect((await fixture.gateway.list(owner)).pagination).to.include({ total_items: 1 });
    await fixture.edit("expires_at = now(), expires_at_text = ''", [String(id)]);
    expect((await fixture.gateway.list(owner)).pagination).to.include({ total_items: 0 });
  });

  it('is refused to who may read nothing', async () => {
    const { application } = await newTenant();
    const blind = await application(['token:create', 'token:search', 'token:use']);
    expect((await failureOf(fixture.gateway.list(blind))).code).to.equal('permission_denied');
    expect((await fixture.audit(blind)).map(({ operation, reason }) => [operation, reason])).to.deep.equal([
      ['read', 'not_held'],
    ]);
  });

  it('leaves a record of each token that it has shown, or that it has shown none', async () => {
    const { owner, application } = await newTenant();
    const ids = (await fixture.gateway.tokenize(owner, ['a', 'b', 'c'])) as string[];
    const reader = await application(['token:read']);
    await fixture.gateway.list(reader, 'size=2');
    await fixture.gateway.list(reader, 'type=card');
    const rows = await fixture.audit(reader);
    expect(
      rows.map(({ operation, outcome, purpose, view }) => ({ operation, outcome, purpose, view })),
    ).to.deep.equal([
      { operation: 'read', outcome: 'allowed', purpose: 'list', view: 'mask' },
      { operation: 'read', outcome: 'allowed', purpose: 'list', view: 'mask' },
      { operation: 'read', outcome: 'allowed', purpose: 'list', view: null },
    ]);
    expect(ids).to.include.members([rows[0]?.token_id, rows[1]?.token_id]);
    expect(rows[2]?.token_id).to.equal(null);
  });

  it('asks for a smaller page when there is too much data for one', async () => {
    const { owner, application } = await newTenant();
    const data = 'x'.repeat(1_000_000);
    for (let i = 0; i < 9; i += 1) await fixture.gateway.create(owner, { type: 'token', data });
    expect((await failureOf(fixture.gateway.list(owner))).code).to.equal('too_large');
    expect((await fixture.gateway.list(owner, 'size=1')).data).to.have.length(1);
    const reader = await application(['token:read']);
    expect((await fixture.gateway.list(reader)).data).to.have.length(9);
  });

  it('is answered although one of its tokens cannot be opened: that one tells that something is wrong', async () => {
    const { owner } = await newTenant();
    const [good, broken] = (await fixture.gateway.tokenize(owner, ['a', 'b'])) as string[];
    await fixture.sql(
      `UPDATE token SET sealed_data = set_byte(sealed_data, 20, get_byte(sealed_data, 20) # 1) WHERE id = $1`,
      [broken],
    );
    expect((await failureOf(fixture.gateway.list(owner))).code).to.equal('integrity_violation');
    expect(await idsOf(owner, `id=${good}`)).to.deep.equal([good]);
  });
});
