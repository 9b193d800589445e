import { apiOf } from './api.ts';
import { createReactor } from './reactor-story.ts';
import type { System } from './system.ts';
import { until } from './until.ts';

/** In a fresh checkout, a runner bundles the packages of user code when it first starts, and `bt` is one of them. */
export async function packagesAreReady(system: System): Promise<void> {
  const api = apiOf(system);
  const reactor = await createReactor(api, `() => ({ raw: typeof require('@glovebox/sdk') })`);
  const isReady = async () => {
    const key = system.dev.private_api_key;
    const { status } = await api.send('POST', `/reactors/${reactor.id}/react`, { key, body: {} });
    return status === 200;
  };
  await until('the packages are ready', isReady, 150_000);
}
