import { expect } from 'chai';

import type { ExchangeClient } from './harness/exchange-client.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const request = { type: 'card', data: card };

/** What a retry may show is decided when it comes: what is gone by then is gone for it too. */
describe('an answer that is given again', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const keyed = (idempotencyKey: string) => ({ idempotencyKey });
  const creator = (transform = 'reveal') =>
    fixture.application([], [{ container: '/', transform, permissions: ['token:create'] }]);
  const gone = /has succeeded before\. A token of its answer does not exist any more/;

  it('has no security code whose time is over', async () => {
    const { gateway } = fixture;
    const shop = await creator();
    const create = () => gateway.create(shop, request, keyed('k'));
    const tokenize = async () => (await gateway.tokenize(shop, [request], keyed('k'))) as { data: object }[];
    expect((await create())['data']).to.deep.equal(card);
    expect((await create())['data']).to.deep.equal(card);
    expect((await tokenize())[0]?.data).to.deep.equal(card);
    await fixture.edit('cvc_expires_at = now()');
    const { cvc: _, ...withoutCode } = card;
    expect((await create())['data']).to.deep.equal(withoutCode);
    expect((await tokenize())[0]?.data).to.deep.equal(withoutCode);
  });

  it('has no token that was deleted, has expired, or is another of the same id', async () => {
    const { gateway, owner } = fixture;
    const id = 'the same id';
    const creating = {
      create: () => gateway.create(owner, { ...request, id }, keyed('gone')),
      tokenize: () => gateway.tokenize(owner, { a: { ...request, id }, b: 1 }, keyed('gone')),
    };
    for (const create of Object.values(creating)) {
      await create();
      await gateway.delete(owner, id);
      const deleted = await failureOf(create());
      expect(deleted.code).to.equal('conflict');
      expect(deleted.message).to.match(gone);
      await gateway.create(owner, { ...request, id });
      expect((await failureOf(create())).message).to.match(gone);
      await gateway.delete(owner, id);
    }
    const brief = await gateway.create(owner, request, keyed('brief'));
    await fixture.edit("expires_at = now(), expires_at_text = ''", [String(brief['id'])]);
    expect((await failureOf(gateway.create(owner, request, keyed('brief')))).message).to.match(gone);
    const last = (await fixture.audit(owner)).at(-1);
    expect(last).to.include({
      operation: 'read',
      outcome: 'denied',
      reason: 'unknown_token',
      purpose: 'replayed',
    });
  });

  it('is decided on by what the application may do now, and recorded like any read', async () => {
    const { gateway } = fixture;
    const shop = await creator();
    const create = () => gateway.create(shop, request, keyed('k'));
    const id = (await create())['id'];
    await create();
    const read = { operation: 'read', token_id: id, purpose: 'replayed' };
    expect((await fixture.audit(shop)).at(-1)).to.include({ ...read, outcome: 'allowed', view: 'reveal' });

    const rule = { container: '/', transform: 'redact', permissions: ['token:create'] };
    await fixture.publisher.change(shop, { rules: [rule] });
    while ((await create())['data'] !== undefined);
    expect((await fixture.audit(shop)).at(-1)).to.include({ ...read, outcome: 'allowed', view: 'redact' });

    await fixture.publisher.change(shop, { rules: [{ ...rule, permissions: ['token:update'] }] });
    while ((await codeOf(create())) !== 'permission_denied');
    expect((await fixture.audit(shop)).at(-1)).to.include({ ...read, outcome: 'denied', reason: 'not_held' });
  });

  it('shows nothing that somebody else has written since, but to who may read it', async () => {
    const { gateway, owner } = fixture;
    const shop = await creator();
    const create = (by: TestApplication) => gateway.create(by, { type: 'token', data: 'mine' }, keyed('k'));
    for (const by of [shop, owner]) {
      const id = String((await create(by))['id']);
      await gateway.update(owner, id, { data: 'theirs', metadata: { note: 'theirs' } });
    }
    expect(await create(shop)).to.have.all.keys('id', 'tenant_id', 'type', 'containers');
    expect((await create(owner))['data']).to.equal('theirs');
  });

  it('is not given while its record cannot be written', async () => {
    const { gateway } = fixture;
    const shop = await creator();
    const create = () => gateway.create(shop, request, keyed('k'));
    await create();
    await fixture.sql(`ALTER TABLE audit ADD CONSTRAINT no_replay CHECK (purpose <> 'replayed') NOT VALID`);
    expect((await failureOf(create())).code).to.equal('unavailable');
    await fixture.sql('ALTER TABLE audit DROP CONSTRAINT no_replay');
    expect(await create()).to.include({ type: 'card' });
  });

  it('says of an equal token that it is one, as it did first', async () => {
    const { gateway, owner } = fixture;
    const wanted = { type: 'token', data: 'equal', deduplicate_token: true };
    await gateway.create(owner, wanted);
    const first = await gateway.create(owner, wanted, keyed('equal'));
    expect(first['_extras']).to.include({ deduplicated: true });
    expect(await gateway.create(owner, wanted, keyed('equal'))).to.deep.equal(first);
    const blind = await creator();
    const barely = await gateway.create(blind, wanted, keyed('equal'));
    expect(await gateway.create(blind, wanted, keyed('equal'))).to.deep.equal(barely);
  });
});

describe('an answer that the gateway keeps', () => {
  it('opens for the application that it was sealed for and in its scope, and for none else', async () => {
    await using fixture = await Fixture.start();
    const { gateway, owner } = fixture;
    const [scope, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const plaintext = Buffer.from('an answer with 4242424242424242');
    const bytesOf = async (caller: TestApplication, operation: Parameters<ExchangeClient['call']>[1]) => {
      const outcome = await gateway.call(caller.key, operation);
      if (outcome?.$case !== 'answer') throw new Error(`unexpected ${outcome?.$case}`);
      return outcome.value.value;
    };
    const sealed = await bytesOf(owner, { $case: 'sealAnswer', value: { scope, plaintext } });
    expect(sealed.includes('4242424242424242')).to.equal(false);
    const opened = (caller: TestApplication, of: Buffer) =>
      bytesOf(caller, { $case: 'openAnswer', value: { scope: of, sealed } });
    expect(await opened(owner, scope)).to.deep.equal(plaintext);
    const colleague = await fixture.application(['token:use']);
    for (const refused of [
      opened(owner, other),
      opened(colleague, scope),
      opened(await fixture.foreigner(), scope),
    ]) {
      expect((await failureOf(refused)).code).to.equal('integrity_violation');
    }
    expect((await failureOf(opened(owner, Buffer.from('short')))).code).to.equal('invalid_argument');
  });
});
