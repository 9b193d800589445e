import { expect } from 'chai';

import { KeyBarrier } from '../../crypto/key-barrier.ts';
import { SealWatch } from './watch-seal.ts';

type Postgres = ConstructorParameters<typeof SealWatch>[0];

describe('a vault that looks whether it is sealed', () => {
  /** Undefined: the database does not answer. */
  let seals: readonly object[] | undefined;
  let drops: number;
  let now: number;
  let barrier: KeyBarrier;
  let watch: SealWatch;
  beforeEach(() => {
    [seals, drops, now] = [[], 0, 0];
    const query = (name: string) => {
      if (seals === undefined) return Promise.reject(new Error('away'));
      return Promise.resolve(name === 'vault-seal-in-force' ? seals : []);
    };
    barrier = new KeyBarrier();
    barrier.onDrop(() => (drops += 1));
    const postgres = { withoutTenant: { query } } as unknown as Postgres;
    watch = new SealWatch(postgres, barrier, { warn: () => undefined }, () => now);
  });

  it('serves nothing before it knows', async () => {
    seals = undefined;
    await watch.look();
    expect(() => barrier.requireOpen()).to.throw();
    seals = [];
    await watch.look();
    expect(() => barrier.requireOpen()).not.to.throw();
  });

  it('follows what it finds', async () => {
    seals = [{ number: 1, sealedAt: new Date(0) }];
    await watch.look();
    expect([barrier.state, watch.note]).to.deep.equal([
      'sealed',
      'the vault is sealed, since 1970-01-01T00:00:00.000Z',
    ]);
    expect(drops).to.equal(1);
    seals = [];
    await watch.look();
    expect([barrier.state, watch.note]).to.deep.equal(['open', undefined]);
  });

  it('keeps its state while the database is away, and drops its keys after a minute', async () => {
    await watch.look();
    seals = undefined;
    now = 59_000;
    await watch.look();
    expect([barrier.state, drops]).to.deep.equal(['open', 0]);
    now = 60_000;
    await watch.look();
    expect([barrier.state, drops]).to.deep.equal(['open', 1]);
  });
});
