import { compileGrants } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ReactorRecord, ReactorRolloutRecord } from '@glovebox/published/records';
import { secondVersion } from '@glovebox/published/second-version';
import { expect } from 'chai';

import { resolveAccepted, resolveReactor } from './resolve-reactor.ts';

function resolve(applicationId: string, tenantOfApplication?: string) {
  const grants = compileGrants([], []);
  return resolveReactor(
    {
      reactorById: (id) =>
        id === 'r' ? ({ id, tenantId: 't', applicationId, version: 1 } as ReactorRecord) : undefined,
      reactorRolloutById: () => undefined,
      applicationById: (id) =>
        tenantOfApplication === undefined
          ? undefined
          : {
              version: 1,
              principal: {
                tenantId: tenantOfApplication,
                applicationId: id,
                applicationType: 'private',
                grants,
              },
            },
    },
    'r',
  );
}

describe('a reactor acts', () => {
  it('as its application', async () => {
    expect((await resolve('a', 't')).delegation).to.deep.equal({
      owner: { $case: 'reactorId', value: 'r' },
      version: 1,
      applicationId: 'a',
    });
  });

  it('without an identity where there is no application, it is deleted or another tenant’s', async () => {
    expect((await resolve('', 't')).delegation).to.equal(undefined);
    expect((await resolve('a')).delegation).to.equal(undefined);
    expect((await resolve('a', 'another')).delegation).to.equal(undefined);
  });

  it('not at all when it is unknown', async () => {
    const published = {
      reactorById: () => undefined,
      reactorRolloutById: () => undefined,
      applicationById: () => undefined,
    };
    const error = await resolveReactor(published, 'r').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError).and.to.include({ code: 'not_found' });
  });
});

/** contract/rollouts.md#who-gets-which-version */
describe('the version of a reactor in a rollout', () => {
  const present = { id: 'r', tenantId: 't', applicationId: '', version: 5 } as ReactorRecord;
  const second = { ...present, version: secondVersion(7n, 2n) };
  const rolledOut = (more: Partial<ReactorRolloutRecord> = {}): ReactorRolloutRecord => ({
    version: 1,
    id: 'rollout',
    percent: 100,
    header: 'x-customer',
    ended: false,
    reactor: second,
    shownVersion: 7,
    formulaChanges: 2,
    ...more,
  });
  const registryOf = (rollout: ReactorRolloutRecord | undefined) => ({
    reactorById: (_id: string, version = 0) =>
      rollout !== undefined && version === rollout.reactor.version ? rollout.reactor : present,
    reactorRolloutById: () => rollout,
    applicationById: () => undefined,
  });
  const by = { header: 'x-customer', value: 'c' };

  it('is the second one for those that it is for, and counted as the API shows it', async () => {
    const inSecond = await resolveReactor(registryOf(rolledOut()), 'r', by);
    expect(inSecond).to.deep.include({ ...second, rollout: { id: 'rollout', version: 7 } });
    const inPresent = await resolveReactor(registryOf(rolledOut({ percent: 0 })), 'r', by);
    expect(inPresent).to.deep.include({ ...present, rollout: { id: 'rollout', version: 3 } });
    expect((await resolveReactor(registryOf(rolledOut()), 'r', 'chance')).version).to.equal(second.version);
  });

  it('is the present one while the edge has not looked at that header, and after the end', async () => {
    for (const other of [undefined, { header: 'x-other', value: 'c' }])
      expect((await resolveReactor(registryOf(rolledOut()), 'r', other)).version).to.equal(5);
    const ended = await resolveReactor(registryOf(rolledOut({ ended: true })), 'r', by);
    expect(ended).to.deep.include({ ...present, rollout: undefined });
  });

  it('is the present one of a shadow, which knows what is tried on its share', async () => {
    const shadow = { record: second.version, version: 7 };
    const share = (shadowPercent: number) => registryOf(rolledOut({ percent: 0, shadowPercent }));
    const tried = await resolveReactor(share(100), 'r', by);
    expect(tried).to.deep.include({ ...present, rollout: { id: 'rollout', version: 3, shadow } });
    const notTried = await resolveReactor(share(0), 'r', by);
    expect(notTried).to.deep.include({ ...present, rollout: { id: 'rollout', version: 3 } });
    const accepted = { version: 5, rollout: { id: 'rollout', version: 3, shadow } };
    expect(await resolveAccepted(share(100), 'r', accepted)).to.deep.include(accepted);
  });

  it('stays that of an accepted invocation after the end, and is the present one when another is rolled out', async () => {
    const accepted = { version: second.version, rollout: { id: 'rollout', version: 7 } };
    const after = await resolveAccepted(registryOf(rolledOut({ ended: true })), 'r', accepted);
    expect(after).to.deep.include({ version: second.version, rollout: accepted.rollout });
    const another = rolledOut({ reactor: { ...second, version: secondVersion(8n, 2n) } });
    expect((await resolveAccepted(registryOf(another), 'r', accepted)).version).to.equal(5);
    expect((await resolveAccepted(registryOf(rolledOut()), 'r', { version: 4 })).version).to.equal(5);
  });

  it('has a number of its own, whatever the formula has become', () => {
    const numbers = [
      secondVersion(2n, 0n),
      secondVersion(2n, 1n),
      secondVersion(3n, 0n),
      secondVersion(1n, 2n),
    ];
    expect(new Set(numbers).size).to.equal(4);
    for (const one of [...numbers, secondVersion(999_999_999_999_999n, 2n ** 40n)])
      expect(Number.isSafeInteger(one) && one >= 2 ** 52, String(one)).to.equal(true);
  });
});
