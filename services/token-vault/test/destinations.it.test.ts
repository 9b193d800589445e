import { type Reach, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const to = (destination: string, ...code: string[]): Reach => ({ destination, code, anywhere: false });
const withCode = (destination: string): Reach => ({ destination, code: [], anywhere: true });

describe('rules with destinations', () => {
  let fixture: Fixture;
  let id: string;
  let caller: TestApplication;

  const rule = (priority: number, patterns: string[], more: object = {}) => ({
    priority,
    container: '/',
    transform: '',
    permissions: ['token:use'],
    destinations: { transform: 'reveal', patterns },
    ...more,
  });
  const stripe = rule(10, ['api.stripe.com:443', '*.stripe.com:8443']);

  before(async () => {
    fixture = await Fixture.start();
    id = await fixture.token();
    caller = await fixture.application([], [stripe]);
  });
  after(() => fixture[Symbol.asyncDispose]());

  const use = (who: TestApplication, reach: Reach | undefined, expression = id) =>
    fixture.gateway.use(who, [expression], { clientAddress: '203.0.113.7' }, { reach });

  const allowed: readonly (readonly [string, Reach])[] = [
    ['the host is covered', to('api.stripe.com:443')],
    ['the host is below a wildcard', to('eu.api.stripe.com:8443')],
    ['code sees the value and reaches nothing', to('api.stripe.com:443')],
    [
      'code reaches covered hosts only',
      to('api.stripe.com:443', '*.eu.stripe.com:8443', 'api.stripe.com:443'),
    ],
    ['a reactor reaches nothing', to('')],
    ['a reactor’s callback is covered', to('api.stripe.com:443', 'api.stripe.com:443')],
  ];
  for (const [what, reach] of allowed) {
    it(`allow a use where ${what}`, async () => {
      expect(await use(caller, reach)).to.deep.equal([card]);
      const row = (await fixture.audit(caller)).at(-1);
      expect(row).to.deep.include({
        outcome: 'allowed',
        rule: 10,
        destination: reach.destination === '' ? null : reach.destination,
        client_address: '203.0.113.7',
      });
    });
  }

  const refused: readonly (readonly [string, Reach | undefined])[] = [
    ['the host is another', to('evil.example:443')],
    ['the port is another', to('api.stripe.com:8080')],
    ['code reaches another host', to('api.stripe.com:443', 'evil.example:443')],
    ['code reaches more than is covered', to('api.stripe.com:443', '*.com:443')],
    ['code may reach anything', withCode('api.stripe.com:443')],
    ['a reactor’s callback is another host', to('evil.example:443', 'api.stripe.com:443')],
    ['nobody says where it goes', undefined],
  ];
  for (const [what, reach] of refused) {
    it(`refuse a use where ${what}, and record it`, async () => {
      const { code } = await failureOf(use(caller, reach));
      expect(code).to.equal('destination_not_bound');
      expect((await fixture.audit(caller)).at(-1)).to.deep.include({
        token_id: id,
        outcome: 'denied',
        reason: 'destination_not_bound',
        rule: 10,
        destination: reach?.destination ?? null,
        client_address: '203.0.113.7',
      });
    });
  }

  it('are passed over for the next rule', async () => {
    const next = { priority: 20, container: '/', transform: 'mask', permissions: ['token:use'] };
    const both = await fixture.application([], [stripe, rule(11, ['*.adyen.com:443']), next]);
    expect(await use(both, to('x.adyen.com:443'))).to.deep.equal([card]);
    expect((await fixture.audit(both)).at(-1)).to.deep.include({ outcome: 'allowed', rule: 11 });
    await failureOf(use(both, to('evil.example:443')));
    expect((await fixture.audit(both)).at(-1)).to.deep.include({ reason: 'use_without_reveal', rule: 20 });
    const plain = await fixture.application(['token:use'], [stripe]);
    expect(await use(plain, to('evil.example:443'))).to.deep.equal([card]);
    expect((await fixture.audit(plain)).at(-1)).to.deep.include({ outcome: 'allowed', rule: null });
  });

  it('show their caller no plaintext', async () => {
    const permissions = ['token:use', 'token:read', 'token:update', 'token:search', 'token:create'];
    const reader = await fixture.application([], [{ ...stripe, permissions }]);
    const purpose = UsePurpose.USE_PURPOSE_DETOKENIZE;
    const value = {
      expressions: [id],
      purpose,
      purposeId: '',
      proxy: undefined,
      reach: to('api.stripe.com:443'),
    };
    const failure = await failureOf(fixture.gateway.call(reader.key, { $case: 'detokenize', value }));
    expect(failure.code).to.equal('permission_denied');
    expect((await fixture.gateway.get(reader, id))['data']).to.not.equal(card);
    // Nor by a mask of the caller's choice.
    const mask = await failureOf(fixture.gateway.update(reader, id, { mask: '{{ data }}' }));
    expect(mask.code).to.equal('permission_denied');
    const made = await fixture.gateway.create(reader, { type: 'token', data: 'mine' });
    expect(made).to.have.property('id');
  });

  it('decide on what clients encrypted as on tokens', async () => {
    const encrypted = Buffer.from(JSON.stringify({})).toString('base64');
    const proxy = { keyHash: '', version: 1, variables: Buffer.alloc(0), encrypted };
    const opening = (reach: Reach) =>
      failureOf(fixture.gateway.use(caller, ['encrypted.x'], {}, { proxy, reach }));
    expect((await opening(to('evil.example:443'))).code).to.equal('destination_not_bound');
    expect((await opening(to('api.stripe.com:443'))).code).to.not.equal('destination_not_bound');
  });

  describe('of sessions', () => {
    const session = async (rules: object[], local = false) => {
      const maker = await fixture.publisher.application({
        tenantId: fixture.tenantId,
        type: 'public',
        permissions: [],
      });
      const { session_key: key, nonce } = await fixture.gateway.createSession(maker);
      await fixture.gateway.authorizeSession(caller, { nonce, rules }, local);
      return { ...caller, key };
    };
    const wanted = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:use'] };

    it('bind as those of applications', async () => {
      const bound = await session([{ ...wanted, destinations: ['API.stripe.com'] }]);
      expect(await use(bound, to('api.stripe.com:443'))).to.deep.equal([card]);
      const { code } = await failureOf(use(bound, to('eu.stripe.com:8443')));
      expect(code).to.equal('destination_not_bound');
    });

    it('are no more than the application has', async () => {
      for (const destinations of [undefined, ['evil.example'], ['api.stripe.com', '*.stripe.com']]) {
        const { code } = await failureOf(session([{ ...wanted, destinations }]));
        expect(code, JSON.stringify(destinations)).to.equal('permission_denied');
      }
    });

    it('are checked as those of applications', async () => {
      const failure = await failureOf(session([{ ...wanted, destinations: ['*.com', 'localhost:1'] }]));
      expect(failure.errors).to.have.all.keys('rules[0].destinations[0]', 'rules[0].destinations[1]');
      const { code } = await failureOf(session([{ ...wanted, destinations: ['localhost:1'] }], true));
      expect(code).to.equal('permission_denied');
    });
  });
});
