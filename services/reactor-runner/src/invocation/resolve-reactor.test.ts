import { compileGrants } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ReactorRecord } from '@glovebox/published/records';
import { expect } from 'chai';

import { resolveReactor } from './resolve-reactor.ts';

function resolve(applicationId: string, tenantOfApplication?: string) {
  const grants = compileGrants([], []);
  return resolveReactor(
    {
      reactorById: (id) =>
        id === 'r' ? ({ id, tenantId: 't', applicationId, version: 1 } as ReactorRecord) : undefined,
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

  it('as nobody without one, after it was deleted, or if it were of another tenant', async () => {
    expect((await resolve('', 't')).delegation).to.equal(undefined);
    expect((await resolve('a')).delegation).to.equal(undefined);
    expect((await resolve('a', 'another')).delegation).to.equal(undefined);
  });

  it('not at all when it is unknown', async () => {
    const registry = { reactorById: () => undefined, applicationById: () => undefined };
    const error = await resolveReactor(registry, 'r').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError).and.to.include({ code: 'not_found' });
  });
});
