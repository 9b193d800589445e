import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

describe('who may do what', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const operations = {
    'token:create': (key: string) =>
      fixture.gateway.create({ ...fixture.owner, key }, { type: 'token', data: 1 }),
    'token:read': async (key: string) =>
      fixture.gateway.get({ ...fixture.owner, key }, await fixture.token(1)),
    'token:use': async (key: string) =>
      fixture.gateway.use({ ...fixture.owner, key }, [await fixture.token(1)]),
    'token:delete': async (key: string) =>
      fixture.gateway.delete({ ...fixture.owner, key }, await fixture.token(1)),
    'token:update': async (key: string) =>
      fixture.gateway.update({ ...fixture.owner, key }, await fixture.token(1), {}),
    'token:search': (key: string) => fixture.gateway.search({ ...fixture.owner, key }, {}),
    'token:read of a list': (key: string) => fixture.gateway.list({ ...fixture.owner, key }),
    'token:read of two': async (key: string) =>
      fixture.gateway.associate({ ...fixture.owner, key }, await fixture.token(1), await fixture.token(2)),
    'token:delete of two': async (key: string) => {
      const [parent, child] = [await fixture.token(1), await fixture.token(2)];
      await fixture.gateway.associate(fixture.owner, parent, child);
      await fixture.gateway.dissociate({ ...fixture.owner, key }, parent, child);
    },
  };

  it('lets a permission do what it names and nothing else', async () => {
    const permissions = Object.keys(operations).filter((name) => !name.includes(' '));
    for (const held of [...permissions, 'proxy:read']) {
      const { key } = await fixture.application([held]);
      for (const [needed, operation] of Object.entries(operations)) {
        const outcome = await operation(key).then(
          () => 'allowed',
          (error: { code: string }) => error.code,
        );
        const expected = needed.split(' ')[0] === held ? 'allowed' : 'permission_denied';
        expect(outcome, `${needed} with ${held}`).to.equal(expected);
      }
    }
  });

  it('refuses a missing, malformed or unknown key', async () => {
    for (const key of ['', 'x'.repeat(101), 'not a key!', 'key_1111111111111111111111', '\0']) {
      for (const operation of Object.values(operations)) {
        expect((await failureOf(operation(key))).code).to.equal('unauthenticated');
      }
    }
  });

  it('refuses a revoked key once its revocation is published', async () => {
    const application = await fixture.application(['token:create']);
    await operations['token:create'](application.key);
    await fixture.publisher.revoke(application);
    const code = () =>
      operations['token:create'](application.key).then(
        () => 'ok',
        (error) => error.code,
      );
    while ((await code()) === 'ok');
    expect(await code()).to.equal('unauthenticated');
  });

  it('grants use only inside the container of the rule', async () => {
    const inside = await fixture.token(1, { containers: ['/pci/high/sub/'] });
    const beside = await fixture.token(2, { containers: ['/pci/highest/'] });
    const user = await fixture.application(
      [],
      [{ container: '/pci/high/', transform: 'reveal', permissions: ['token:use'] }],
    );
    expect(await fixture.gateway.use(user, [inside])).to.deep.equal([1]);
    expect((await failureOf(fixture.gateway.use(user, [beside]))).code).to.equal('permission_denied');
    expect((await failureOf(fixture.gateway.use(user, [inside, beside]))).code).to.equal('permission_denied');
    expect((await failureOf(fixture.gateway.use(user, ['nope']))).code).to.equal('invalid_argument');
  });

  it('grants creation only inside the container of the rule', async () => {
    const creator = await fixture.application(
      [],
      [{ container: '/a/', transform: 'mask', permissions: ['token:create'] }],
    );
    const create = (containers: string[]) =>
      fixture.gateway.create(creator, { type: 'token', data: 1, containers });
    expect((await create(['/A/b/']))['containers']).to.deep.equal(['/a/b/']);
    expect((await failureOf(create(['/b/']))).code).to.equal('permission_denied');
    const byDefault = fixture.gateway.create(creator, { type: 'token', data: 1 });
    expect((await failureOf(byDefault)).code).to.equal('permission_denied');
  });

  it('asks whether use is granted at all when there is no expression', async () => {
    expect(await fixture.gateway.use(await fixture.application(['token:use']), [])).to.deep.equal([]);
    const failure = await failureOf(fixture.gateway.use(await fixture.application(['token:read']), []));
    expect(failure.code).to.equal('permission_denied');
  });

  it('never uses a token in plain under a rule that masks', async () => {
    const id = await fixture.token();
    const user = await fixture.application(
      [],
      [{ container: '/', transform: 'mask', permissions: ['token:use'] }],
    );
    expect((await failureOf(fixture.gateway.use(user, [id]))).code).to.equal('permission_denied');
  });

  it('lets who may use tokens in any view invoke what uses none', async () => {
    for (const transform of ['redact', 'mask', 'reveal']) {
      const user = await fixture.application([], [{ container: '/', transform, permissions: ['token:use'] }]);
      expect(await fixture.gateway.use(user, [])).to.deep.equal([]);
    }
  });

  const masked = { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 };
  for (const [transform, data] of Object.entries({ reveal: card, mask: masked, redact: undefined })) {
    it(`shows data as the rule says: ${transform}`, async () => {
      const viewer = await fixture.application(
        [],
        [{ container: '/', transform, permissions: ['token:create', 'token:read'] }],
      );
      const created = await fixture.gateway.create(viewer, { type: 'card', data: card });
      expect(created['data']).to.deep.equal(data);
      const read = await fixture.gateway.get(viewer, String(created['id']));
      const { fingerprint, ...hidden } = created;
      expect(fingerprint).to.be.a('string');
      expect(read).to.deep.equal(transform === 'reveal' ? created : hidden);
      expect('data' in read).to.equal(data !== undefined);
    });
  }

  it('shows masked data to plain permissions, and none of a token without a mask', async () => {
    const viewer = await fixture.application(['token:create', 'token:read']);
    expect((await fixture.gateway.get(viewer, await fixture.token()))['data']).to.deep.equal(masked);
    expect(await fixture.gateway.get(viewer, await fixture.token('plain'))).not.to.have.property('data');
  });
});
