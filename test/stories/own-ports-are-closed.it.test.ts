import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** In development this machine is a destination, but not what the system itself listens on. */
describe('the ports of the system', () => {
  let system: System;
  before(async () => {
    system = await sharedSystem();
  });

  it('are no destination of a proxy, the public address excepted', async () => {
    const api = apiOf(system);
    const ports = readRunning(system.stateDir)?.system?.ports;
    const key = system.dev.private_api_key;
    const through = async (url: string): Promise<Json> => {
      const proxy = await api.proxy(url);
      const headers = { 'SVC-PROXY-KEY': proxy.key };
      return (await api.send('GET', '/proxy', { key, headers })).json;
    };
    for (const name of [
      'postgres',
      'redis',
      'token-vault',
      'reactor-runner-metrics',
      'proxy-gateway-metrics',
    ] as const) {
      const { proxy_error: error } = await through(`http://localhost:${ports?.[name]}`);
      expect(error, name).to.include({ status: 502 });
    }
    expect(await through(`${system.dev.base_url}/healthz`)).to.not.have.property('proxy_error');
  });
});
