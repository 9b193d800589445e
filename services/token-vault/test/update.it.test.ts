import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

describe('a merge patch of a token', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('does what contract/tokens.md#merge-patch shows', async () => {
    const { gateway, owner } = fixture;
    const updater = await fixture.application(['token:update']);
    const id = await fixture.token({ a: 'one', b: 'two' });
    const mask = { a: '{{ data.a }}', c: "{{ data.c | reveal_last: 4, '#' }}" };
    const token = await gateway.update(updater, id, {
      data: { a: 'uno', b: null, c: 'secret' },
      mask,
      containers: ['/Elsewhere/'],
    });
    expect(token).to.deep.include({ id, data: { a: 'uno', c: '##cret' }, mask, containers: ['/elsewhere/'] });
    expect(token).to.include({ created_by: owner.id, modified_by: updater.id });
    expect(token['modified_at']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await gateway.use(owner, [id])).to.deep.equal([{ a: 'uno', c: 'secret' }]);
    const viewer = await fixture.application(['token:read']);
    expect(await gateway.get(viewer, id)).to.deep.equal(token);
  });

  it('keeps what it does not name', async () => {
    const { gateway, owner } = fixture;
    const given = {
      type: 'card',
      data: card,
      mask: { n: '{{ data.number | last4 }}' },
      metadata: { a: '1', b: '2' },
      search_indexes: ['{{ data.number }}'],
      fingerprint_expression: '{{ data.number }}{{ metadata.a }}',
      containers: ['/x/'],
      expires_at: '2040-01-01T00:00:00+02:00',
      encryption: { cek: { key: 'k1' }, kek: { key: 'k2' } },
    };
    const created = await gateway.create(owner, given);
    const id = String(created['id']);
    const { modified_at: at, ...patched } = await gateway.update(owner, id, {});
    expect(at).to.be.a('string');
    expect(patched).to.deep.equal({ ...created, modified_by: owner.id });
    const renumbered = await gateway.update(owner, id, { data: { number: '5555555555554444' } });
    expect(renumbered).to.deep.include({
      data: { ...card, number: '5555555555554444' },
      metadata: given.metadata,
      mask: given.mask,
      expires_at: given.expires_at,
    });
    expect(renumbered['fingerprint']).not.to.equal(created['fingerprint']);
  });

  it('merges metadata and mask, and replaces the rest', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token(
      { a: 1 },
      { metadata: { a: '1', b: '2' }, mask: { x: '{{ data.a }}', y: 'y' } },
    );
    const token = await gateway.update(owner, id, {
      metadata: { b: null, c: '3' },
      mask: { y: null, z: 'z' },
      search_indexes: ['{{ data.a }}'],
      fingerprint_expression: '{{ data.a }}!',
      expires_at: '2040-01-01',
      encryption: { cek: { key: 'k1' }, kek: { key: 'k2' } },
    });
    expect(token).to.deep.include({
      metadata: { a: '1', c: '3' },
      mask: { x: '{{ data.a }}', z: 'z' },
      search_indexes: ['{{ data.a }}'],
      fingerprint_expression: '{{ data.a }}!',
      expires_at: '2040-01-01T00:00:00Z',
      encryption: { cek: { key: 'k1' }, kek: { key: 'k2' } },
    });
  });

  it('gives back the defaults of the type for what it takes away', async () => {
    const { gateway, owner } = fixture;
    const id = String(
      (
        await gateway.create(owner, {
          type: 'social_security_number',
          data: '123-45-6789',
          mask: 'none',
          metadata: { a: '1' },
          search_indexes: [],
          fingerprint_expression: 'x{{ data }}',
          containers: ['/x/'],
          expires_at: '2040-01-01',
          encryption: { cek: { key: 'k1' }, kek: { key: 'k2' } },
        })
      )['id'],
    );
    const nulls = 'mask metadata search_indexes fingerprint_expression containers expires_at encryption';
    const patch = Object.fromEntries(nulls.split(' ').map((name) => [name, null]));
    const plain = await gateway.create(owner, { type: 'social_security_number', data: '123-45-6789' });
    const { id: _, created_at: at, ...expected } = plain;
    const {
      modified_at: __,
      modified_by: by,
      id: ___,
      created_at: ____,
      ...token
    } = await gateway.update(owner, id, patch);
    expect([at, by]).to.deep.equal([plain['created_at'], owner.id]);
    expect(token).to.deep.equal(expected);
  });

  it('validates the data that results, by its type', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    const wrong: Record<string, [patch: object, path: string]> = {
      'a wrong number': [{ data: { number: '4242424242424241' } }, 'data.number'],
      'no number': [{ data: { number: null } }, 'data.number'],
      'no data': [{ data: null }, 'data'],
      'no card': [{ data: 'x' }, 'data'],
      'another type': [{ type: 'token' }, 'type'],
      'another id': [{ id: 'other' }, 'id'],
      'no id': [{ id: null }, 'id'],
      'a malformed mask': [{ mask: { number: '{{ data' } }, 'mask.number'],
      'a mask that fails on the data': [{ mask: { n: '{{ data | to_number }}' } }, 'mask.n'],
      'metadata that is no text': [{ metadata: { a: [5] } }, 'metadata.a'],
      'an index without a value': [{ search_indexes: ['{{ data.nope }}'] }, 'search_indexes[0]'],
      'an empty fingerprint': [{ fingerprint_expression: '' }, 'fingerprint_expression'],
      'a past expiry': [{ expires_at: '2020-01-01' }, 'expires_at'],
      'a container that is none': [{ containers: ['x'] }, 'containers[0]'],
      'a flag that is none': [{ deduplicate_token: 'yes' }, 'deduplicate_token'],
      'another classification': [{ privacy: { classification: 'pii' } }, 'privacy.classification'],
      'text that cannot be stored': [{ mask: { n: 'a\0' } }, 'mask'],
    };
    const before = await gateway.get(owner, id);
    for (const [name, [patch, path]] of Object.entries(wrong)) {
      const failure = await failureOf(gateway.update(owner, id, patch));
      expect(failure.code, name).to.equal('invalid_argument');
      expect(Object.keys(failure.errors), name).to.deep.equal([path]);
    }
    for (const body of [null, [], 'x', 5]) {
      const failure = await failureOf(gateway.update(owner, id, body));
      expect(failure.message).to.equal('The request body must be a JSON object.');
    }
    expect(await gateway.get(owner, id)).to.deep.equal(before);
  });

  it('takes back a token as it was shown', async () => {
    const { gateway, owner } = fixture;
    const shown = await gateway.get(owner, await fixture.token(card, { metadata: { a: '1' } }));
    const {
      modified_at: _,
      modified_by: __,
      ...updated
    } = await gateway.update(owner, String(shown['id']), shown);
    expect(updated).to.deep.equal(shown);
  });

  it('keeps text for numbers as the type has them', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    const token = await gateway.update(owner, id, { data: { expiration_month: '01', cvc: 999 } });
    expect(token['data']).to.deep.equal({ ...card, expiration_month: 1, cvc: '999' });
  });

  it('moves a token by its privacy only as far as privacy can say', async () => {
    const { gateway, owner } = fixture;
    const move = async (containers: string[], privacy: object) => {
      const id = await fixture.token(1, { containers });
      return (await gateway.update(owner, id, { privacy }))['containers'];
    };
    expect(await move(['/pci/high/'], { impact_level: 'low' })).to.deep.equal(['/pci/low/']);
    expect(await move(['/pci/high/'], { classification: 'pci' })).to.deep.equal(['/pci/high/']);
    expect(await move(['/pci/high/deep/'], { impact_level: 'low' })).to.deep.equal(['/pci/high/deep/']);
    expect(await move(['/own/'], { classification: 'pii' })).to.deep.equal(['/own/']);
  });

  describe('is granted', () => {
    const rules = [{ container: '/in/', transform: 'mask', permissions: ['token:update', 'token:read'] }];

    it('where the token is and where it goes', async () => {
      const { gateway } = fixture;
      const updater = await fixture.application([], rules);
      const inside = await fixture.token(1, { containers: ['/in/'] });
      const outside = await fixture.token(1, { containers: ['/out/'] });
      const refused = [
        gateway.update(updater, outside, {}),
        gateway.update(updater, outside, { containers: ['/in/'] }),
        gateway.update(updater, inside, { containers: ['/out/'] }),
        gateway.update(updater, inside, { containers: null }),
      ];
      for (const attempt of refused) expect((await failureOf(attempt)).code).to.equal('permission_denied');
      expect(
        (await gateway.update(updater, inside, { containers: ['/in/deep/'] }))['containers'],
      ).to.deep.equal(['/in/deep/']);
      const reader = await fixture.application(['token:read']);
      expect((await failureOf(gateway.update(reader, inside, {}))).code).to.equal('permission_denied');
      const foreigner = await fixture.foreigner();
      for (const id of [inside, 'no such token', 'a/b']) {
        expect((await failureOf(gateway.update(foreigner, id, {}))).code).to.equal('not_found');
      }
    });

    it('with a record of it, or of why not', async () => {
      const { gateway } = fixture;
      const updater = await fixture.application([], rules);
      const inside = await fixture.token(1, { containers: ['/in/'] });
      const outside = await fixture.token(1, { containers: ['/out/'] });
      await gateway.update(updater, inside, { data: 2 });
      await failureOf(gateway.update(updater, outside, {}));
      await failureOf(gateway.update(updater, inside, { containers: ['/out/'] }));
      await failureOf(gateway.update(updater, '4242424242424242', {}));
      const other = await fixture.application(['token:read']);
      await failureOf(gateway.update(other, inside, {}));
      const recorded = async (application: typeof other) =>
        (await fixture.audit(application)).map(({ operation, token_id, outcome, reason, view }) => ({
          ...{ operation, token_id, outcome, reason, view },
        }));
      const update = {
        operation: 'update',
        token_id: inside,
        outcome: 'denied',
        reason: 'outside_scope',
        view: null,
      };
      expect(await recorded(updater)).to.deep.equal([
        { ...update, outcome: 'allowed', reason: null, view: 'mask' },
        { ...update, token_id: outside },
        update,
        { ...update, token_id: null, reason: 'unknown_token' },
      ]);
      expect(await recorded(other)).to.deep.equal([{ ...update, reason: 'not_held' }]);
    });
  });

  it('is refused for a token that has expired', async () => {
    const id = await fixture.token(1);
    await fixture.edit("expires_at = now(), expires_at_text = ''", [id]);
    expect((await failureOf(fixture.gateway.update(fixture.owner, id, {}))).code).to.equal('not_found');
  });

  it('loses nothing when many come at once, through several vaults', async () => {
    const { gateway, owner } = fixture;
    await using other = await fixture.anotherVault();
    const id = await fixture.token({}, { metadata: {} });
    const count = 40;
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        (i % 2 === 0 ? gateway : other.gateway).update(owner, id, {
          data: { [`d${i}`]: i },
          metadata: { [`m${i}`]: String(i) },
        }),
      ),
    );
    const token = await other.gateway.get(owner, id);
    expect(Object.keys(token['data'] as object)).to.have.length(count);
    expect(Object.keys(token['metadata'] as object)).to.have.length(count);
    expect(await gateway.use(owner, [id])).to.deep.equal([token['data']]);
  });

  it('is seen at once by other vaults that have the token at hand', async () => {
    const { gateway, owner } = fixture;
    await using other = await fixture.anotherVault();
    const id = await fixture.token(0);
    for (let round = 1; round <= 20; round += 1) {
      await other.gateway.use(owner, [id]);
      await gateway.update(owner, id, { data: round });
      expect(await other.gateway.use(owner, [id])).to.deep.equal([round]);
    }
  });

  it('gives a new security code its time, and leaves an old one its own', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    const due = async () =>
      (
        await fixture.sql<{ due: Date | null }>('SELECT cvc_expires_at AS due FROM token WHERE id = $1', [id])
      )[0]?.due;
    const first = await due();
    await gateway.update(owner, id, { data: { expiration_year: 2031 } });
    expect(await due()).to.deep.equal(first);
    await gateway.update(owner, id, { metadata: { a: '1' } });
    expect(await due()).to.deep.equal(first);
    await gateway.update(owner, id, { data: { cvc: '777' } });
    expect((await due())?.getTime()).to.be.above(first?.getTime() ?? 0);
    await gateway.update(owner, id, { data: { cvc: null } });
    expect(await due()).to.equal(null);
  });

  it('does not bring back a security code whose time is over', async () => {
    const { gateway, owner } = fixture;
    const { cvc: _, ...withoutCode } = card;
    const id = await fixture.token(card, {
      mask: { c: '{{ data.cvc }}' },
      search_indexes: ['{{ data.cvc }}'],
    });
    await fixture.edit("cvc_expires_at = now(), revision = nextval('token_revision')", [id]);
    expect((await gateway.update(owner, id, { metadata: { a: '1' } }))['data']).to.deep.equal(withoutCode);
    expect((await gateway.get(owner, id))['data']).to.deep.equal(withoutCode);
    const failure = await failureOf(gateway.update(owner, id, { data: { expiration_year: 2031 } }));
    expect(Object.keys(failure.errors)).to.deep.equal(['search_indexes[0]']);
    await gateway.update(owner, id, { data: { expiration_year: 2031 }, search_indexes: null });
    expect((await gateway.get(owner, id))['data']).to.deep.equal({ ...withoutCode, expiration_year: 2031 });
  });
});
