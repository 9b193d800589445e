import { AppError } from '@glovebox/platform/errors/app-error';
import { type ProxyRecord, emptyProxy } from '@glovebox/published/records';
import { SealWatch } from '@glovebox/vault-client/seal-watch';
import { expect } from 'chai';

import { ProxyVersions } from './proxy-versions.ts';

function proxyOf(version: number): ProxyRecord {
  return {
    ...emptyProxy,
    version,
    id: 'p',
    tenantId: 't',
    name: 'proxy',
    destinationUrl: 'https://example.org',
    requireAuth: true,
    requestTransformCode: `code ${version}`,
  };
}

describe('the versions of proxies that a runner runs', () => {
  let published: ProxyRecord | undefined;
  let opened: string[];
  let failure: AppError | undefined;
  let versions: ProxyVersions;
  const sealWatch = new SealWatch(async () => false);

  beforeEach(() => {
    published = proxyOf(3);
    opened = [];
    failure = undefined;
    versions = new ProxyVersions({
      published: { proxyByKeyHash: () => published },
      sealWatch,
      openConfiguration: async ({ version }, correlationId) => {
        opened.push(correlationId);
        if (failure !== undefined) throw failure;
        return { KEY: `secret ${version}` };
      },
    });
  });

  const get = async (version: number, correlationId = 'c') => versions.get('hash', version, correlationId);
  const codeOf = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof AppError ? error.code : error;
  };

  it('have their configuration opened once, for all who ask at the same time too', async () => {
    const asked = await Promise.all(['a', 'b', 'c'].map((id) => get(3, id)));
    await get(3, 'd');
    expect(opened).to.deep.equal(['a']);
    expect(asked[2]?.configuration.reveal().toString()).to.equal('{"KEY":"secret 3"}');
    expect(asked[2]).to.include({ tenantId: 't', requestCode: 'code 3' });
  });

  it('stay as they were for a gateway that acts on an earlier one', async () => {
    await get(3);
    published = proxyOf(4);
    expect((await get(4)).configuration.reveal().toString()).to.equal('{"KEY":"secret 4"}');
    expect((await get(3)).requestCode).to.equal('code 3');
    published = undefined;
    expect((await get(3)).requestCode).to.equal('code 3');
  });

  it('are never taken for another', async () => {
    published = proxyOf(4);
    expect(await codeOf(get(3))).to.equal('unavailable');
    expect(await codeOf(get(5))).to.equal('unavailable');
    published = undefined;
    expect(await codeOf(get(4))).to.equal('not_found');
  });

  it('are asked for again after the vault was away', async () => {
    failure = new AppError('unavailable', 'away');
    expect(await codeOf(get(3))).to.equal('unavailable');
    failure = undefined;
    expect((await get(3)).requestCode).to.equal('code 3');
  });
});
