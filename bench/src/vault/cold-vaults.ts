import type { ColdProcess } from '../cold.ts';
import type { Cores } from '../measure/cores.ts';
import { connectToVault } from './gateway-side.ts';
import { startStores } from './stores.ts';
import { startVault } from './vault-process.ts';

const cards = 200;
const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };

interface ColdVaults extends AsyncDisposable {
  start(env: Readonly<Record<string, string>>): Promise<ColdProcess>;
}

/** Vaults, one after the other, on the same cards. */
export async function coldVaults(scratch: string, cores: Cores): Promise<ColdVaults> {
  await using stack = new AsyncDisposableStack();
  const stores = stack.use(await startStores());
  const ids: string[] = [];
  {
    await using vault = await startVault(scratch, cores, stores, { WARM_UP_MS: '0' });
    await using gateway = connectToVault(vault.port, vault.token);
    while (ids.length < cards) ids.push(await gateway.create({ type: 'card', data }));
  }
  const owned = stack.move();
  return {
    async start(env) {
      await using own = new AsyncDisposableStack();
      const vault = own.use(await startVault(scratch, cores, stores, env));
      const gateway = own.use(connectToVault(vault.port, vault.token));
      let next = 0;
      const call = () => gateway.use([ids[next++ % cards]!]);
      return { pid: vault.pid, call, stop: own.move() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
