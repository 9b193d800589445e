import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { decrypt, encrypt } from './aes-gcm.ts';
import type { DekStore, KeyKind, StoredDek } from './dek-store.ts';
import { guardedKeys } from './guarded-keys.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import { KeyBarrier } from './key-barrier.ts';
import type { KeyProvider, WrappedKey } from './key-provider.ts';
import { Keyring, mostSeals, rotatesAtSeals } from './keyring.ts';
import { Sealer } from './sealer.ts';
import { rewrapDek } from './tenant-keys.ts';

const binding = { tenantId: 'a', recordId: 'r', field: 'data' };

/** A key provider with a key in memory, which counts what it is asked. */
class CountingProvider implements KeyProvider {
  readonly currentKeyId = 'kek';
  readonly #key = createSecretKey(randomBytes(32));
  unwraps = 0;
  failures = 0;

  async wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey> {
    return { keyId: this.currentKeyId, wrapped: encrypt(this.#key, aad, dataKey, new Uint8Array()) };
  }

  async unwrap(_keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer> {
    this.unwraps += 1;
    await Promise.resolve();
    if (this.failures > 0) {
      this.failures -= 1;
      throw new AppError('unavailable', 'the key service is away');
    }
    return decrypt(this.#key, aad, wrapped);
  }
}

/** Keeps data keys as a table with a unique index does; every answer comes a tick later. */
class TableOfDeks implements DekStore {
  readonly rows: StoredDek[] = [];
  reads = 0;
  tags = true;

  async indexVersions(): Promise<undefined> {
    return undefined;
  }

  async ageOfIndexKey(): Promise<number> {
    return 0;
  }

  /** By tenant and version; undefined: from before seals were counted. */
  readonly seals = new Map<string, number | undefined>();

  async reserveSeals(
    tenantId: string,
    version: number,
    seals: number,
    most: number,
  ): Promise<number | undefined> {
    await Promise.resolve();
    const name = `${tenantId} ${version}`;
    const counted = this.seals.has(name) ? this.seals.get(name) : 0;
    if (counted === undefined || counted + seals > most) return undefined;
    this.seals.set(name, counted + seals);
    return counted + seals;
  }

  async startsWithTags(): Promise<boolean> {
    return this.tags;
  }

  async get(tenantId: string, kind: KeyKind, version: number): Promise<StoredDek | undefined> {
    this.reads += 1;
    await Promise.resolve();
    return this.#of(tenantId, kind).find((row) => row.version === version);
  }

  async current(tenantId: string, kind: KeyKind): Promise<StoredDek | undefined> {
    this.reads += 1;
    await Promise.resolve();
    return this.#of(tenantId, kind).toSorted((one, other) => other.version - one.version)[0];
  }

  async insertIfAbsent(dek: StoredDek): Promise<void> {
    await Promise.resolve();
    if (!this.#of(dek.tenantId, dek.kind).some((row) => row.version === dek.version)) this.rows.push(dek);
  }

  #of(tenantId: string, kind: KeyKind): StoredDek[] {
    return this.rows.filter((row) => row.tenantId === tenantId && row.kind === kind);
  }
}

function fixture(): { provider: CountingProvider; store: TableOfDeks; keyring: Keyring; sealer: Sealer } {
  const provider = new CountingProvider();
  const store = new TableOfDeks();
  const keyring = new Keyring({ provider, store });
  return { provider, store, keyring, sealer: new Sealer(keyring) };
}

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function sameKey(one: KeyObject, other: KeyObject): boolean {
  return one.equals(other);
}

describe('keyring', () => {
  it("makes a tenant's first key when it is first needed, and one key per tenant", async () => {
    const { store, keyring } = fixture();
    const [a, b] = [await keyring.currentSealingKey('a'), await keyring.currentSealingKey('b')];
    expect([a.version, b.version]).to.deep.equal([1, 1]);
    expect(sameKey(a.key, b.key)).to.equal(false);
    expect(store.rows.map((row) => [row.tenantId, row.kind, row.version])).to.deep.equal([
      ['a', 'data', 1],
      ['b', 'data', 1],
    ]);
  });

  it('agrees with every other process that makes the first key at the same moment', async () => {
    const { provider, store } = fixture();
    const processes = Array.from({ length: 5 }, () => new Keyring({ provider, store }));
    const keys = await Promise.all(processes.map((keyring) => keyring.currentSealingKey('a')));
    expect(store.rows).to.have.length(1);
    for (const { key } of keys) expect(sameKey(key, keys[0]?.key ?? key)).to.equal(true);
    expect(keys.every((key) => keys[0] && sameKey(key.key, keys[0].key))).to.equal(true);
  });

  it('finds the same keys after a restart', async () => {
    const { provider, store, keyring } = fixture();
    const before = [(await keyring.currentSealingKey('a')).key, (await keyring.indexKeys('a')).fingerprint];
    const restarted = new Keyring({ provider, store });
    const after = [
      (await restarted.currentSealingKey('a')).key,
      (await restarted.indexKeys('a')).fingerprint,
    ];
    expect(
      before.every((key, index) => sameKey(key, after[index] ?? createSecretKey(Buffer.alloc(1)))),
    ).to.equal(true);
  });

  it('unwraps once however many ask at once', async () => {
    const { provider, store, keyring } = fixture();
    await Promise.all(Array.from({ length: 50 }, () => keyring.currentSealingKey('a')));
    expect(provider.unwraps).to.equal(1);
    const reads = store.reads;
    await Promise.all(Array.from({ length: 50 }, () => keyring.sealingKey('a', 1)));
    expect([provider.unwraps, store.reads - reads]).to.deep.equal([1, 0]);
  });

  it('does not keep a failure', async () => {
    const { provider, keyring } = fixture();
    provider.failures = 1;
    const both = await Promise.all([errorOf(keyring.indexKeys('a')), errorOf(keyring.indexKeys('a'))]);
    expect(both.map(String)).to.deep.equal(Array(2).fill('AppError: the key service is away'));
    expect(await errorOf(keyring.indexKeys('a'))).to.equal(undefined);
  });

  it('holds a bounded number of keys', async () => {
    const { provider, store } = fixture();
    const keyring = new Keyring({ provider, store, maxHeldKeys: 2 });
    for (const tenant of ['a', 'b', 'c']) await keyring.currentSealingKey(tenant);
    expect(provider.unwraps).to.equal(3);
    await keyring.sealingKey('c', 1);
    expect(provider.unwraps).to.equal(3);
    await keyring.sealingKey('a', 1);
    expect(provider.unwraps).to.equal(4);
  });

  it('has a different key for every purpose', async () => {
    const { keyring } = fixture();
    const { fingerprint, search, request } = await keyring.indexKeys('a');
    const { key } = await keyring.currentSealingKey('a');
    const all = [fingerprint, search, request, key].map((one) => one.export().toString('hex'));
    expect(new Set(all).size).to.equal(4);
  });

  it('keeps nothing in the store that reads as a key', async () => {
    const { store, keyring } = fixture();
    const { key } = await keyring.currentSealingKey('a');
    expect(Buffer.from(store.rows[0]?.wrapped ?? []).includes(key.export())).to.equal(false);
  });

  it('does not accept a key that was copied from another tenant, kind or version', async () => {
    const { store, keyring, provider } = fixture();
    await keyring.currentSealingKey('a');
    const row = store.rows[0];
    if (!row) throw new Error('no key was stored');
    const copies: StoredDek[] = [
      { ...row, tenantId: 'b' },
      { ...row, kind: 'index' },
      { ...row, version: 2 },
    ];
    store.rows.push(...copies);
    const fresh = new Keyring({ provider, store });
    for (const attempt of [fresh.sealingKey('b', 1), fresh.indexKeys('a'), fresh.sealingKey('a', 2)]) {
      expect(await errorOf(attempt)).to.be.instanceOf(IntegrityViolation);
    }
    expect(await errorOf(fresh.sealingKey('a', 1))).to.equal(undefined);
  });
});

describe('the row format of data keys', () => {
  it('is the first for a new tenant while an earlier vault may run, and never goes back', async () => {
    const { store, keyring } = fixture();
    store.tags = false;
    expect((await keyring.currentSealingKey('a')).rowFormat).to.equal(1);
    await keyring.rotate('a');
    expect((await keyring.currentSealingKey('a')).rowFormat).to.equal(1);
    await keyring.rotate('a', 2);
    await keyring.rotate('a');
    expect((await keyring.currentSealingKey('a')).rowFormat).to.equal(2);
  });

  it('is looked up again after a while, but not while the key service is away', async () => {
    const { provider, store } = fixture();
    store.tags = false;
    let now = 0;
    const keyring = new Keyring({ provider, store, now: () => now });
    await keyring.currentSealingKey('a');
    const [row] = store.rows;
    if (row === undefined) throw new Error('no key was stored');
    store.rows[0] = await rewrapDek(provider, row, 2);
    expect((await keyring.sealingKey('a', 1)).rowFormat).to.equal(1);
    now = 10 * 60_000;
    provider.failures = 1;
    expect((await keyring.sealingKey('a', 1)).rowFormat).to.equal(1);
    now = 20 * 60_000;
    expect((await keyring.sealingKey('a', 1)).rowFormat).to.equal(2);
    // A key that refuses rows without a tag stays.
    now = 1e9;
    const { unwraps } = provider;
    await keyring.sealingKey('a', 1);
    expect(provider.unwraps).to.equal(unwraps);
  });
});

describe('rotation of data keys', () => {
  it('seals under the new version from then on and keeps opening what the old one sealed', async () => {
    const { keyring, sealer } = fixture();
    const old = await sealer.seal(binding, Buffer.from('before'));
    expect(await keyring.rotate('a')).to.equal(2);
    const recent = await sealer.seal(binding, Buffer.from('after'));
    expect([old.readUInt32BE(1), recent.readUInt32BE(1)]).to.deep.equal([1, 2]);
    expect(String(await sealer.open(binding, old))).to.equal('before');
    expect(String(await sealer.open(binding, recent))).to.equal('after');
  });

  it('gives a new key, not the old one under a new number', async () => {
    const { keyring } = fixture();
    await keyring.rotate('a');
    const [one, two] = [await keyring.sealingKey('a', 1), await keyring.sealingKey('a', 2)];
    expect(sameKey(one.key, two.key)).to.equal(false);
  });

  it('leaves fingerprints and search hashes as they were', async () => {
    const { keyring, provider, store } = fixture();
    const before = await keyring.indexKeys('a');
    await keyring.rotate('a');
    const after = await new Keyring({ provider, store }).indexKeys('a');
    expect(sameKey(before.fingerprint, after.fingerprint)).to.equal(true);
    expect(sameKey(before.search, after.search)).to.equal(true);
  });

  it('makes one new version when several rotate at once', async () => {
    const { provider, store, keyring } = fixture();
    await keyring.currentSealingKey('a');
    await Promise.all([keyring.rotate('a'), new Keyring({ provider, store }).rotate('a')]);
    expect(store.rows.map((row) => row.version)).to.deep.equal([1, 2]);
  });

  it('is noticed by other processes after a bounded time, which can read its envelopes at once', async () => {
    const { provider, store, keyring, sealer } = fixture();
    let now = 0;
    const other = new Keyring({ provider, store, currentMaxAgeMs: 1000, now: () => now });
    await other.currentSealingKey('a');
    await keyring.rotate('a');
    const recent = await sealer.seal(binding, Buffer.from('after'));
    expect(String(await new Sealer(other).open(binding, recent))).to.equal('after');
    now = 999;
    expect((await other.currentSealingKey('a')).version).to.equal(1);
    now = 1000;
    expect((await other.currentSealingKey('a')).version).to.equal(2);
  });
});

describe('the seals of a data key', () => {
  it('are counted before they are made, by every process, and also when one is killed', async () => {
    const { provider, store } = fixture();
    let sealed = 0;
    for (let starts = 0; starts < 2; starts += 1) {
      const processes = [1, 2].map(() => new Sealer(new Keyring({ provider, store })));
      await Promise.all(
        processes.map(async (sealer) => {
          // More than a process counts at first.
          for (let count = 0; count < 5000; count += 1) {
            await sealer.seal(binding, Buffer.from('x'));
            sealed += 1;
            if ((store.seals.get('a 1') ?? 0) < sealed) throw new Error('too few are counted');
          }
        }),
      );
    }
    expect(store.seals.get('a 1')).to.be.within(sealed, sealed + 4 * 70_000);
  });

  it('are refused without having been counted', async () => {
    const { keyring, sealer } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    const key = await keyring.currentSealingKey('a');
    let count = 0;
    const exhaust = () => {
      for (; count < 100_000; count += 1) key.spend();
    };
    expect(exhaust).to.throw('Too much is being sealed at once');
    expect((await sealer.open(binding, sealed)).toString(), 'opening needs none').to.equal('x');
    await sealer.seal(binding, Buffer.from('the next call counts more'));
  });

  it('never reach the bound: at half of it every process moves to the next key', async () => {
    const { provider, store, sealer } = fixture();
    const other = new Sealer(new Keyring({ provider, store, currentMaxAgeMs: 0 }));
    const versionOf = async (by: Sealer) => (await by.seal(binding, Buffer.from('x'))).readUInt32BE(1);
    expect(await versionOf(sealer)).to.equal(1);
    store.seals.set('a 1', rotatesAtSeals - 1);
    expect(await versionOf(new Sealer(new Keyring({ provider, store })))).to.equal(2);
    expect(await versionOf(other)).to.equal(2);
    expect([...store.seals.keys()].toSorted()).to.deep.equal(['a 1', 'a 2']);
    expect(store.rows.filter(({ kind }) => kind === 'data')).to.have.length(2);
  });

  it('are refused at the bound itself, to a process that does not know the next key yet', async () => {
    const { store, keyring } = fixture();
    await keyring.currentSealingKey('a');
    await keyring.rotate('a');
    store.seals.set('a 2', mostSeals);
    expect(await errorOf(keyring.keyToSeal('a', 2))).to.have.property('code', 'unavailable');
    expect((await keyring.currentSealingKey('a')).version).to.equal(3);
  });

  it('are not made under a key from before they were counted', async () => {
    const { provider, store, sealer } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    store.seals.set('a 1', undefined);
    const upgraded = new Sealer(new Keyring({ provider, store }));
    expect((await upgraded.seal(binding, Buffer.from('y'))).readUInt32BE(1)).to.equal(2);
    expect((await upgraded.open(binding, sealed)).toString()).to.equal('x');
  });
});

describe('the keys of a vault that is sealed', () => {
  const guarded = () => {
    const provider = new CountingProvider();
    const store = new TableOfDeks();
    const barrier = KeyBarrier.opened();
    const keyring = new Keyring({ provider: guardedKeys(barrier, provider), store });
    barrier.onDrop(() => keyring.drop());
    return { provider, barrier, keyring, sealer: new Sealer(keyring) };
  };
  const codeOf = async (action: () => unknown) => {
    try {
      await action();
      return 'ok';
    } catch (error) {
      return (error as AppError).code;
    }
  };

  it('are refused to a call that has them already', async () => {
    const { barrier, keyring } = guarded();
    const dataKey = await keyring.currentSealingKey('a');
    const indexKeys = await keyring.indexKeys('a');
    barrier.seal();
    const uses = [
      () => dataKey.key,
      () => dataKey.tag,
      () => indexKeys.fingerprint,
      () => indexKeys.search,
      () => indexKeys.request,
      () => keyring.sealingKey('a', 1),
      () => keyring.rotate('a'),
    ];
    for (const use of uses) expect(await codeOf(use)).to.equal('vault_sealed');
  });

  it('do not arrive when they were being unwrapped just then, and are there again afterwards', async () => {
    const { barrier, sealer, provider } = guarded();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    barrier.drop();
    const opening = codeOf(() => sealer.open(binding, sealed));
    const { unwraps } = provider;
    while (provider.unwraps === unwraps) await Promise.resolve();
    barrier.seal();
    expect(await opening).to.equal('vault_sealed');
    barrier.open();
    expect((await sealer.open(binding, sealed)).toString()).to.equal('x');
  });

  it('are refused until it is known that it is not sealed', async () => {
    const keyring = new Keyring({
      provider: guardedKeys(new KeyBarrier(), new CountingProvider()),
      store: new TableOfDeks(),
    });
    expect(await codeOf(() => keyring.indexKeys('a'))).to.equal('vault_sealed');
  });
});
