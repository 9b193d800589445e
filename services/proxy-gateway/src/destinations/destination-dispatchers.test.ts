import { AppError } from '@glovebox/platform/errors/app-error';
import { type ProxyRecord, emptyProxy } from '@glovebox/published/records';
import { SealWatch } from '@glovebox/vault-client/seal-watch';
import { expect } from 'chai';
import { Agent } from 'undici';

import { until } from '../../test/until.ts';
import { DestinationDispatchers } from './destination-dispatchers.ts';

/** Dispatchers that know with what they were made. */
class NotedAgent extends Agent {
  readonly madeWith: unknown;

  constructor(madeWith: unknown) {
    super();
    this.madeWith = madeWith;
  }
}

const tls = {
  destinationUrl: 'https://x.example',
  sealedClientKey: Buffer.from('sealed'),
  ca: '',
  pins: ['p'],
};
const proxyOf = (id: string, version: number, clientCertificate = 'cert'): ProxyRecord => ({
  ...emptyProxy,
  id,
  version,
  destinationTls: { ...tls, clientCertificate },
});

describe('the dispatchers of proxies', () => {
  let opened: string[];
  let failure: AppError | undefined;
  let isSealed: boolean;
  let sealWatch: SealWatch;
  let dispatchers: DestinationDispatchers;

  beforeEach(() => {
    opened = [];
    failure = undefined;
    isSealed = false;
    sealWatch = new SealWatch(async () => isSealed);
    dispatchers = new DestinationDispatchers({
      maxOwn: 2,
      sealWatch,
      create: (options) => new NotedAgent(options),
      openClientKey: async ({ id, version }, correlationId) => {
        opened.push(`${id} ${version} ${correlationId}`);
        if (failure !== undefined) throw failure;
        return Buffer.from(`key ${id} ${version}`);
      },
    });
  });
  afterEach(() => dispatchers[Symbol.asyncDispose]());

  const of = async (proxy: ProxyRecord, correlationId = 'c') =>
    (await dispatchers.of(proxy, correlationId)) as NotedAgent;

  it('are one for all without destination_tls, which is there at once', async () => {
    const [one, two] = ['a', 'b'].map((id) => dispatchers.of({ ...emptyProxy, id, version: 1 }, 'c'));
    expect(one).to.be.instanceOf(NotedAgent).and.to.equal(two);
    expect(one).to.have.property('madeWith', undefined);
  });

  it('are one for each version of the others, whose key is opened once for all who ask at the same time', async () => {
    const [one, same] = await Promise.all([of(proxyOf('a', 1), 'x'), of(proxyOf('a', 1), 'y')]);
    expect(one)
      .to.equal(same)
      .and.to.equal(await of(proxyOf('a', 1)));
    const others = [await of(proxyOf('a', 2)), await of(proxyOf('b', 1))];
    expect(new Set([one, ...others])).to.have.property('size', 3);
    expect(opened).to.deep.equal(['a 1 x', 'a 2 c', 'b 1 c']);
    const client = { certificate: 'cert', key: Buffer.from('key a 1') };
    expect(one.madeWith).to.deep.equal({ pins: ['p'], client });
  });

  it('need no key where no certificate is shown', async () => {
    expect((await of(proxyOf('a', 1, ''))).madeWith).to.deep.equal({ pins: ['p'] });
    expect(opened).to.deep.equal([]);
  });

  it('are not there while the vault is away, and are asked for again after that', async () => {
    failure = new AppError('unavailable', 'away');
    const refused: unknown = await of(proxyOf('a', 1)).catch((error: unknown) => error);
    expect(refused).to.equal(failure);
    failure = undefined;
    expect(await of(proxyOf('a', 1))).to.be.instanceOf(NotedAgent);
  });

  it('are closed when the vault is sealed, and none that shows a certificate is made until that ends', async () => {
    const [one, nameless] = [await of(proxyOf('a', 1)), proxyOf('b', 1, '')];
    isSealed = true;
    await sealWatch.look();
    expect(one.closed).to.equal(true);
    expect(() => dispatchers.of(proxyOf('a', 1), 'c'))
      .to.throw(AppError)
      .with.property('code', 'vault_sealed');
    expect(await of(nameless)).to.be.instanceOf(NotedAgent);
    isSealed = false;
    await sealWatch.look();
    expect(await of(proxyOf('a', 1))).to.be.instanceOf(NotedAgent);
  });

  it('are no more than so many: the one that was not used for longest is closed', async () => {
    const [one, two] = [await of(proxyOf('a', 1)), await of(proxyOf('b', 1))];
    await of(proxyOf('a', 1));
    await of(proxyOf('c', 1));
    expect([one.closed, two.closed]).to.deep.equal([false, true]);
    expect(await of(proxyOf('b', 1))).not.to.equal(two);
  });

  it('are closed when they were not used for a while', async () => {
    await using brief = new DestinationDispatchers({
      unusedMs: 50,
      sealWatch,
      create: (options) => new NotedAgent(options),
      openClientKey: async () => Buffer.from('key'),
    });
    const one = (await brief.of(proxyOf('a', 1), 'c')) as NotedAgent;
    await until('it is closed', () => one.closed);
  });
});
