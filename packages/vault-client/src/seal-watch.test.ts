import { expect } from 'chai';

import { SealWatch } from './seal-watch.ts';

describe('a service that watches whether the vault is sealed', () => {
  it('uses nothing that was opened before from then on, and follows the last answer while there is none', async () => {
    let state: boolean | undefined = false;
    let drops = 0;
    const watch = new SealWatch(async () => {
      if (state === undefined) throw new Error('away');
      return state;
    });
    watch.onSealed(() => (drops += 1));
    const isRefused = async (next: boolean | undefined) => {
      state = next;
      await watch.look();
      try {
        watch.requireUnsealed();
        return false;
      } catch {
        return true;
      }
    };
    expect(await isRefused(undefined), 'a vault that is away').to.equal(false);
    expect(drops).to.equal(0);
    expect(await isRefused(true)).to.equal(true);
    expect(drops).to.equal(1);
    expect(await isRefused(undefined)).to.equal(true);
    expect(await isRefused(false)).to.equal(false);
  });
});
