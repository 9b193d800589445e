import { randomUUID } from 'node:crypto';

import { type Delegation, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { signTrial } from '@glovebox/published/trial-grant';
import { expect } from 'chai';

import { createTestPublication, testPublication } from '../../../test/harness/test-publication.ts';
import { ExchangeClient, purposeId } from './harness/exchange-client.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture, ownerRule } from './harness/fixture.ts';

/** contract/transforms.md#the-bt-object: user code acts as the application that its proxy or reactor names. */
describe('acting as the application of a proxy or reactor', () => {
  let fixture: Fixture;
  let runner: ExchangeClient;
  before(async () => {
    fixture = await Fixture.start();
    runner = new ExchangeClient(fixture.vault.as('reactor-runner'));
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const create = {
    $case: 'createToken',
    value: { body: Buffer.from('{"type":"token","data":"v"}'), parentId: '' },
  } as const;
  const createAs = (delegation: Delegation, client = runner) => client.call({ delegation }, create);
  const codeOf = async (promise: Promise<unknown>) => (await failureOf(promise)).code;
  /** A proxy and a reactor that name the application. */
  const namedBy = async (applicationId: string, tenantId = fixture.tenantId): Promise<Delegation[]> => [
    await fixture.publisher.proxy(tenantId, applicationId),
    await fixture.publisher.reactor(tenantId, applicationId),
  ];

  it('does what that application may do, in its name, and nothing else', async () => {
    const application = await fixture.application(['token:create']);
    const token = await fixture.token(1);
    for (const delegation of await namedBy(application.id)) {
      const outcome = await createAs(delegation);
      if (outcome?.$case !== 'token') throw new Error('expected a token');
      expect(JSON.parse(outcome.value.json.toString())).to.include({
        created_by: application.id,
        tenant_id: fixture.tenantId,
      });
      const read = { $case: 'getToken', value: { tokenId: token } } as const;
      expect(await codeOf(runner.call({ delegation }, read))).to.equal('permission_denied');
      const purpose = UsePurpose.USE_PURPOSE_REACTOR;
      const value = { expressions: [token], purpose, purposeId, proxy: undefined };
      expect(await codeOf(runner.call({ delegation }, { $case: 'detokenize', value }))).to.equal(
        'permission_denied',
      );
    }
    const rows = await fixture.audit(application);
    expect(
      rows.filter(({ outcome }) => outcome === 'allowed').map(({ operation }) => operation),
    ).to.deep.equal(['create', 'create']);
  });

  it('is for the runner only', async () => {
    const application = await fixture.application(['token:create']);
    for (const delegation of await namedBy(application.id)) {
      expect(await codeOf(createAs(delegation, fixture.gateway))).to.equal('permission_denied');
      expect((await createAs(delegation))?.$case).to.equal('token');
    }
  });

  it('needs no key of the application, and ends with the application', async () => {
    const application = await fixture.application(['token:create']);
    const delegations = await namedBy(application.id);
    await fixture.publisher.revoke(application);
    for (const delegation of delegations) expect((await createAs(delegation))?.$case).to.equal('token');
    await fixture.publisher.remove(application);
    for (const delegation of delegations) {
      const outcome = () =>
        createAs(delegation).then(
          () => 'created',
          (error: { code: string }) => error.code,
        );
      while ((await outcome()) === 'created');
      expect(await outcome()).to.equal('unauthenticated');
    }
  });

  it('follows what the application may do now', async () => {
    const application = await fixture.application(['token:read']);
    const [delegation] = (await namedBy(application.id)) as [Delegation];
    expect(await codeOf(createAs(delegation))).to.equal('permission_denied');
    await fixture.publisher.change(application, { rules: [ownerRule] });
    const outcome = () =>
      createAs(delegation).then(
        () => 'created',
        (error: { code: string }) => error.code,
      );
    while ((await outcome()) !== 'created');
  });

  it('may be allowed by control-api for code that is tried, for one application and a moment', async () => {
    const application = await fixture.application(['token:create']);
    const other = await fixture.application(['token:create']);
    const { tenantId } = fixture;
    const as = (value: string, applicationId = application.id): Delegation => ({
      owner: { $case: 'trial', value },
      version: 0,
      applicationId,
    });
    const grantBy = ({ signing } = testPublication, tenant = tenantId, endsAt = Date.now() + 60_000) =>
      signTrial(signing, { tenantId: tenant, applicationId: application.id }, endsAt);
    const signed = await grantBy();
    expect((await createAs(as(signed)))?.$case).to.equal('token');
    const refused = [
      as(signed, other.id),
      as(''),
      as(signed.replace(tenantId, randomUUID())),
      as(await grantBy(createTestPublication())),
      as(await grantBy(testPublication, randomUUID())),
      as(await grantBy(testPublication, tenantId, Date.now() - 1)),
    ];
    for (const delegation of refused) expect(await codeOf(createAs(delegation))).to.equal('unauthenticated');
    expect(await codeOf(createAs(as(signed), fixture.gateway))).to.equal('permission_denied');
  });

  it('is refused for one without an application, an unknown one, and none', async () => {
    const named = { version: 0, applicationId: fixture.owner.id };
    const nobody: Delegation[] = [
      ...(await namedBy('')),
      ...(await namedBy(randomUUID())),
      { owner: { $case: 'reactorId', value: randomUUID() }, ...named },
      { owner: { $case: 'reactorId', value: '' }, ...named },
      { owner: { $case: 'proxyKeyHash', value: 'f'.repeat(64) }, ...named },
      { owner: undefined, ...named },
    ];
    for (const delegation of nobody) expect(await codeOf(createAs(delegation))).to.equal('unauthenticated');
  });

  it('stays with the application of the version that runs, when another is named since', async () => {
    const [first, second] = [
      await fixture.application(['token:create']),
      await fixture.application(['token:create']),
    ];
    for (const delegation of await namedBy(first.id)) {
      const createdBy = async (as: Delegation) => {
        const outcome = await createAs(as);
        if (outcome?.$case !== 'token') throw new Error('expected a token');
        return (JSON.parse(outcome.value.json.toString()) as { created_by: string }).created_by;
      };
      expect(await createdBy(delegation)).to.equal(first.id);
      const version = await fixture.publisher.rename(fixture.tenantId, delegation, second.id);
      expect(await createdBy({ ...delegation, version, applicationId: second.id })).to.equal(second.id);
      expect(await createdBy(delegation)).to.equal(first.id);
    }
  });

  it('stays so at a vault that starts after the change, and for no other owner', async () => {
    const [first, second] = [
      await fixture.application(['token:create']),
      await fixture.application(['token:create']),
    ];
    const delegations = await namedBy(first.id);
    const others = await namedBy(second.id);
    const versions: number[] = [];
    for (const delegation of delegations)
      versions.push(await fixture.publisher.rename(fixture.tenantId, delegation, second.id));
    await using another = await fixture.anotherVault();
    await using client = new ExchangeClient(another.vault.as('reactor-runner'));
    const createdBy = async (as: Delegation) => {
      const outcome = await createAs(as, client);
      if (outcome?.$case !== 'token') throw new Error('expected a token');
      return (JSON.parse(outcome.value.json.toString()) as { created_by: string }).created_by;
    };
    for (const [at, delegation] of delegations.entries()) {
      expect(await createdBy(delegation)).to.equal(first.id);
      const now = { ...delegation, version: versions[at] as number, applicationId: second.id };
      expect(await createdBy(now)).to.equal(second.id);
    }
    for (const delegation of others) {
      const claimed = createAs({ ...delegation, applicationId: first.id }, client);
      expect(await codeOf(claimed)).to.equal('unauthenticated');
    }
  });

  it('is never that of an application which its owner has not named', async () => {
    const [first, other] = [
      await fixture.application(['token:create']),
      await fixture.application(['token:create']),
    ];
    for (const delegation of await namedBy(first.id)) {
      expect(await codeOf(createAs({ ...delegation, applicationId: other.id }))).to.equal('unauthenticated');
      const unnamed = { ...delegation, applicationId: '' };
      expect((await createAs(unnamed))?.$case).to.equal('token');
    }
  });

  it('is refused when the application is another tenant’s', async () => {
    const foreigner = await fixture.foreigner();
    for (const delegation of await namedBy(foreigner.id)) {
      expect(await codeOf(createAs(delegation))).to.equal('unauthenticated');
    }
    for (const delegation of await namedBy(fixture.owner.id, foreigner.tenantId)) {
      expect(await codeOf(createAs(delegation))).to.equal('unauthenticated');
    }
  });

  it('counts instead of an API key that comes along', async () => {
    const application = await fixture.application(['token:read']);
    const [delegation] = (await namedBy(application.id)) as [Delegation];
    const both = { apiKey: fixture.owner.key, delegation };
    expect(await codeOf(runner.call(both, create))).to.equal('permission_denied');
  });
});
