import { expect } from 'chai';

import { KeyForgetting, blindMs } from './forget-keys.ts';

type Vault = ConstructorParameters<typeof KeyForgetting>[0];

describe('a vault that looks which tenants were erased', () => {
  /** Undefined: the database does not answer. */
  let erased: readonly string[] | undefined;
  let forgotten: string[];
  let now: number;
  let forgetting: KeyForgetting;
  beforeEach(() => {
    [erased, forgotten, now] = [[], [], 0];
    const query = () =>
      erased === undefined
        ? Promise.reject(new Error('away'))
        : Promise.resolve(erased.map((tenantId) => ({ tenantId })));
    const vault = {
      postgres: { acrossTenants: () => ({ query }) },
      keyring: {
        forget: (tenantId: string) => void forgotten.push(tenantId),
        forgetAll: () => void forgotten.push('all'),
      },
      logger: { warn: () => undefined },
    };
    forgetting = new KeyForgetting(vault as unknown as Vault, () => now);
  });

  it('drops the keys of each, once', async () => {
    erased = ['a'];
    await forgetting.look();
    erased = ['a', 'b'];
    await forgetting.look();
    await forgetting.look();
    expect(forgotten).to.deep.equal(['a', 'b']);
  });

  it('drops all keys when it could not look for a minute, and not before', async () => {
    await forgetting.look();
    erased = undefined;
    now = blindMs - 1;
    await forgetting.look();
    expect(forgotten).to.deep.equal([]);
    now = blindMs;
    await forgetting.look();
    expect(forgotten).to.deep.equal(['all']);
  });
});
