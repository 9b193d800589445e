import { expect } from 'chai';

import { ExchangeClient } from './harness/exchange-client.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

type Patch = Record<string, unknown>;

/** One for each attribute: it makes something of data that it does not bring. */
const choices: Record<string, Patch> = {
  mask: { mask: '{{ data }}' },
  'one member of the mask': { mask: { code: '{{ data.cvc }}' } },
  'no mask of its own': { mask: null },
  fingerprint_expression: { fingerprint_expression: '{{ data.number | slice: 0, 1 }}' },
  'no expression of its own': { fingerprint_expression: null },
  search_indexes: { search_indexes: ['{{ data.number | slice: 0, 1 }}'] },
};

const fieldOf = (patch: Patch) => Object.keys(patch).filter((name) => name !== 'data');

describe('who may not see the data of a token', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const secretToken = () =>
    fixture.token(card, {
      mask: { number: '{{ data.number | last4 }}' },
      fingerprint_expression: '{{ data.number }}!',
    });
  const publicApplication = () =>
    fixture.publisher.application({
      tenantId: fixture.tenantId,
      type: 'public',
      permissions: ['token:update'],
    });
  const byRules = (transform: string, permissions: string[], container = '/') =>
    fixture.application(['token:update'], [{ container, transform, permissions }]);
  const update = (caller: TestApplication, id: string, patch: Patch) =>
    fixture.gateway.update(caller, id, patch);

  const blind: Record<string, () => Promise<TestApplication>> = {
    'a public application': publicApplication,
    'who may only update': () => fixture.application(['token:update']),
    'who reads it masked': () => fixture.application(['token:update', 'token:read', 'token:search']),
    'who reads it redacted': () => byRules('redact', ['token:read', 'token:search', 'token:update']),
    'who may create what is shown': () => byRules('reveal', ['token:create']),
    'who sees what is elsewhere': () => byRules('reveal', ['token:read', 'token:use'], '/pci/low/'),
    'who may use under a rule that masks': () => byRules('mask', ['token:use', 'token:read']),
    'a session of such an application': async () => {
      const session = await fixture.gateway.createSession(await publicApplication());
      await fixture.gateway.authorizeSession(fixture.owner, {
        nonce: session.nonce,
        permissions: ['token:update', 'token:read'],
      });
      return { ...fixture.owner, key: session.session_key };
    },
  };

  for (const [who, caller] of Object.entries(blind)) {
    it(`chooses nothing that is made of it: ${who}`, async () => {
      const by = await caller();
      const id = await secretToken();
      const before = await fixture.gateway.get(fixture.owner, id);
      for (const [name, patch] of Object.entries(choices)) {
        for (const data of [{}, { data: { expiration_year: 2031 } }]) {
          const failure = await failureOf(update(by, id, { ...patch, ...data }));
          expect(failure.code, name).to.equal('permission_denied');
          expect(Object.keys(failure.errors), name).to.deep.equal(fieldOf(patch));
          expect(failure.message).to.match(new RegExp(`^${fieldOf(patch)[0]}: may be changed only by`));
        }
      }
      expect(await fixture.gateway.get(fixture.owner, id)).to.deep.equal(before);
    });
  }

  const seeing: Record<string, () => Promise<TestApplication>> = {
    'who reads it revealed': () => byRules('reveal', ['token:read']),
    'who finds it revealed': () => byRules('reveal', ['token:search'], '/pci/'),
    'who is answered in plain': () => byRules('reveal', ['token:update'], '/pci/high/'),
    'who may use it': () => fixture.application(['token:update', 'token:use']),
    'who may use it where it is': () => byRules('reveal', ['token:use'], '/pci/high/'),
    'a session that may use it': async () => {
      const maker = await publicApplication();
      const session = await fixture.gateway.createSession(maker);
      await fixture.gateway.authorizeSession(fixture.owner, {
        nonce: session.nonce,
        permissions: ['token:update', 'token:use'],
      });
      return { ...fixture.owner, key: session.session_key };
    },
  };

  for (const [who, caller] of Object.entries(seeing)) {
    it(`is not ${who}`, async () => {
      const by = await caller();
      for (const [name, patch] of Object.entries(choices)) {
        expect(await codeOf(update(by, await secretToken(), patch)), name).to.equal('ok');
      }
    });
  }

  it('chooses what is made of data that comes with the patch', async () => {
    const by = await publicApplication();
    const number = '5555555555554444';
    const brought: [choice: Patch, data: Patch, shown: Patch][] = [
      [{ mask: { number: '{{ data.number }}' } }, { number }, { number }],
      [{ mask: { code: '{{ data.cvc }}' } }, { cvc: '999' }, { number: '4242', code: '999' }],
      [{ mask: { gone: '{{ data.cvc }}' } }, { cvc: null }, { number: '4242' }],
      [{ mask: { number: null, note: 'none' } }, { cvc: '999' }, { note: 'none' }],
      [
        { mask: { number: null, all: '{{ data }}' } },
        { ...card, number, cvc: null, expiration_year: 2031 },
        { all: { number, expiration_month: 12, expiration_year: 2031 } },
      ],
      [
        { fingerprint_expression: '{{ data.number | slice: 0, 1 }}{{ metadata.a }}' },
        { number },
        { number: '4444' },
      ],
      [{ search_indexes: ['{{ data.number | last4 }}'] }, { number }, { number: '4444' }],
    ];
    for (const [choice, data, shown] of brought) {
      const token = await update(by, await secretToken(), { ...choice, data });
      expect(token['data'], JSON.stringify(choice)).to.deep.equal(shown);
      expect(token).to.have.property('modified_by', by.id);
    }
    const text = await fixture.token('secret');
    expect((await update(by, text, { data: 'mine', mask: '{{ data }}' }))['data']).to.equal('mine');
  });

  it('keeps out of what a patch of data leaves where it is', async () => {
    const by = await publicApplication();
    const left: [data: unknown, patch: Patch][] = [
      [
        { a: 1, b: 2 },
        { data: { a: 9 }, mask: '{{ data | stringify }}' },
      ],
      [{ a: { x: 1, y: 2 } }, { data: { a: { x: 9 } }, mask: '{{ data.a | stringify }}' }],
      [{ a: { x: 1, y: 2 } }, { data: { a: { x: 9 } }, mask: { y: '{{ data.a.y }}' } }],
      [
        { a: 1, b: 2 },
        { data: { a: 'b' }, mask: '{{ data[data.a] }}' },
      ],
      [
        { a: 1, b: 2 },
        { data: { a: 'text' }, mask: { a: '{{ data.a | append: data.b }}' } },
      ],
      [
        { a: 1, b: 2 },
        { data: { a: 9, size: null }, mask: { a: '{{ data.size }}' } },
      ],
      [
        { a: 1, b: 2 },
        { data: { a: 9 }, mask: { a: "{{ data.a }}{{ data['b'] }}" } },
      ],
      [
        { a: 1, b: 2 },
        { data: {}, mask: { b: '{{ data.b }}' } },
      ],
      [
        { a: 1, b: 2 },
        { data: { a: 9 }, search_indexes: ["{{ data | json: '$.b' }}"] },
      ],
    ];
    for (const [data, patch] of left) {
      const id = await fixture.token(data);
      expect(await codeOf(update(by, id, patch)), JSON.stringify(patch)).to.equal('permission_denied');
      expect((await fixture.gateway.get(fixture.owner, id))['data']).to.deep.equal(data);
    }
  });

  it('sends back attributes as they were shown', async () => {
    const by = await publicApplication();
    const id = await secretToken();
    const shown = await fixture.gateway.get(fixture.owner, id);
    const { mask, fingerprint_expression, search_indexes, containers } = shown;
    const same = { mask, fingerprint_expression, search_indexes, containers };
    expect((await update(by, id, { ...same, metadata: { a: '1' } }))['metadata']).to.deep.equal({ a: '1' });
  });

  it('gives a token no fingerprint where its tenant wants none', async () => {
    const tenantId = await fixture.publisher.tenant({ fingerprint_tokens: 'false' });
    const owner = await fixture.publisher.application({
      tenantId,
      rules: [{ container: '/', transform: 'reveal', permissions: ['token:create', 'token:read'] }],
    });
    const by = await fixture.publisher.application({ tenantId, permissions: ['token:update'] });
    const id = String((await fixture.gateway.create(owner, { type: 'token', data: '1234' }))['id']);
    const expression = { fingerprint_expression: '{{ data | stringify }}' };
    for (const patch of [{ deduplicate_token: true }, expression]) {
      const failure = await failureOf(update(by, id, patch));
      expect(failure.code).to.equal('permission_denied');
      expect(Object.keys(failure.errors)).to.deep.equal(Object.keys(patch));
    }
    expect(await fixture.gateway.get(owner, id)).not.to.have.property('fingerprint');
    await update(by, id, { ...expression, data: '5678' });
    expect(await fixture.gateway.get(owner, id)).to.have.property('fingerprint');
  });

  it('finds no equal of data of which it brings a part', async () => {
    const by = await fixture.publisher.application({
      tenantId: fixture.tenantId,
      type: 'public',
      permissions: ['token:create', 'token:update'],
    });
    const equal = await fixture.gateway.create(by, { type: 'token', data: { cvc: '471' } });
    const target = await fixture.token({ number: '4242', cvc: '471' });
    const flag = { deduplicate_token: true };
    const data = { number: null };
    const refused = async (patch: Patch) => {
      const failure = await failureOf(update(by, target, patch));
      expect(failure.code).to.equal('permission_denied');
      return Object.keys(failure.errors);
    };
    expect(await refused({ data, ...flag })).to.deep.equal(['deduplicate_token']);
    await update(by, target, { data });
    expect(await fixture.gateway.get(fixture.owner, target)).not.to.have.property('fingerprint');
    expect(await refused(flag)).to.deep.equal(['deduplicate_token']);
    await update(by, target, { metadata: { a: '1' } });
    const created = { type: 'token', data: { cvc: '471' }, ...flag };
    expect((await fixture.gateway.create(by, created))['id']).to.equal(equal['id']);
    expect(await fixture.gateway.get(fixture.owner, target)).not.to.have.property('fingerprint');
    const whole = { number: null, cvc: '471' };
    expect((await update(by, target, { data: whole, ...flag }))['id']).to.equal(equal['id']);
    await update(by, target, { data: whole });
    expect(await fixture.gateway.get(fixture.owner, target)).to.have.property('fingerprint');
  });

  it('finds no equal either where the tenant deduplicates', async () => {
    const tenantId = await fixture.publisher.tenant({ deduplicate_tokens: 'true' });
    const by = await fixture.publisher.application({
      tenantId,
      permissions: ['token:create', 'token:update'],
    });
    await fixture.gateway.create(by, { type: 'token', data: { cvc: '471' } });
    const target = await fixture.gateway.create(by, { type: 'token', data: { number: '4242', cvc: '471' } });
    const id = String(target['id']);
    const data = { number: null };
    const failure = await failureOf(update(by, id, { data }));
    expect(failure.code).to.equal('permission_denied');
    expect(Object.keys(failure.errors)).to.deep.equal(['data']);
    await update(by, id, { data, deduplicate_token: false });
    expect((await update(by, id, { metadata: { a: '1' } }))['id']).to.equal(id);
  });

  it('does not aim by a part of the data what is made of the rest', async () => {
    const by = await publicApplication();
    const aimed: [choice: Patch, data: Patch][] = [
      [{ mask: '{{ data.nick | default: data.number }}' }, { nick: null }],
      [{ mask: { a: '{{ data[data.nick] }}' } }, { nick: 'number' }],
      [{ search_indexes: ['{{ data.nick }}{{ data.number }}'] }, { nick: 'a' }],
      [{ mask: '{{ data.size }}' }, { other: 'a' }],
    ];
    for (const [choice, data] of aimed) {
      const id = await fixture.token({ nick: 'a', number: '4242' }, choice);
      const failure = await failureOf(update(by, id, { data }));
      expect(failure.code, JSON.stringify(choice)).to.equal('permission_denied');
      expect(Object.keys(failure.errors)).to.deep.equal(['data']);
      const whole = { nick: 'b', number: '1', size: 3 };
      expect(await codeOf(update(by, id, { data: whole })), JSON.stringify(choice)).to.equal('ok');
    }
    const id = await fixture.token(card, { type: 'card' });
    const before = await fixture.gateway.get(fixture.owner, id);
    await update(by, id, { data: { expiration_year: 2031 } });
    const after = await fixture.gateway.get(fixture.owner, id);
    expect(after['fingerprint']).to.equal(before['fingerprint']);
  });

  it('moves it nowhere where more of it is seen', async () => {
    const rules = [
      { container: '/pci/high/', transform: 'mask', permissions: ['token:read', 'token:update'] },
      { container: '/pci/low/', transform: 'reveal', permissions: ['token:read', 'token:update'] },
      { container: '/dark/', transform: 'redact', permissions: ['token:read', 'token:update'] },
    ];
    const by = await fixture.application([], rules);
    const [high, low, dark] = ['/pci/high/', '/pci/low/', '/dark/'];
    const moved = async (from: string, patch: Patch) => {
      const id = await fixture.token(card, { containers: [from] });
      const failure = await failureOf(update(by, id, patch));
      expect(failure.code).to.equal('permission_denied');
      return Object.keys(failure.errors);
    };
    expect(await moved(high, { containers: [low] })).to.deep.equal(['containers']);
    expect(await moved(dark, { containers: [high], data: { cvc: '999' } })).to.deep.equal(['containers']);
    expect(await moved(high, { privacy: { impact_level: 'low' } })).to.deep.equal(['privacy']);
    const inside = async (from: string, patch: Patch) =>
      (await update(by, await fixture.token(card, { containers: [from] }), patch))['containers'];
    expect(await inside(low, { containers: [high] })).to.deep.equal([high]);
    expect(await inside(high, { containers: [dark] })).to.deep.equal([dark]);
    expect(await inside(high, { containers: [low], data: { ...card, cvc: '999' } })).to.deep.equal([low]);
  });

  it('does not see it by code that acts as the application either', async () => {
    const application = await fixture.application(['token:update', 'token:read']);
    await using runner = new ExchangeClient(fixture.vault.as('reactor-runner'));
    const delegation = await fixture.publisher.proxy(fixture.tenantId, application.id);
    const value = { tokenId: await secretToken(), patch: Buffer.from('{"mask":"{{ data }}"}') };
    const failure = await failureOf(runner.call({ delegation }, { $case: 'updateToken', value }));
    expect(failure.code).to.equal('permission_denied');
  });

  it('is on record with the refusal', async () => {
    const by = await publicApplication();
    const id = await secretToken();
    await failureOf(update(by, id, { mask: '{{ data }}' }));
    expect((await fixture.audit(by)).at(-1)).to.include({
      operation: 'update',
      token_id: id,
      outcome: 'denied',
      reason: 'without_plaintext',
    });
  });
});
