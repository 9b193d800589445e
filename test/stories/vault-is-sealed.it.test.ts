import { execFile } from 'node:child_process';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { startDestination } from '../harness/destination.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { tlsEstate } from '../harness/tls-estate.ts';
import { until } from '../harness/until.ts';

/** docs/key-ceremonies.md, over the whole system. */
describe('a system whose operator seals the vault', function () {
  this.timeout(60_000);
  const story = reactorStory();

  const glovebox = async (...args: string[]): Promise<void> => {
    const { stateDir } = await sharedSystem();
    const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', ...args];
    const env = { ...compileCache, PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: stateDir };
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, command, { cwd: checkout, env }, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  };
  after(() => glovebox('vault', 'unseal'));

  it('refuses what needs a key, sends nothing, and recovers without a restart', async () => {
    const api = apiOf(await sharedSystem());
    await using destination = await startDestination();
    const token = await api.token({ type: 'token', data: 'value' });
    const { key } = await api.proxy(destination.url);
    const estate = await tlsEstate();
    await using demanding = await startDestination(estate.demanding);
    const destination_tls = { ...(await estate.client('urn:sealed')), ca: estate.ca };
    const identified = await api.proxy(demanding.url, { destination_tls });
    const code = '({ configuration }) => ({ raw: configuration.KEY })';
    const reactor = await story.reactor(
      code,
      { settings: { KEY: 'string' } },
      { configuration: { KEY: 's' } },
    );
    const attempts = {
      read: () => api.send('GET', `/tokens/${token}`, { key: story.key }),
      create: () => api.send('POST', '/tokens', { key: story.key, body: { type: 'token', data: 'x' } }),
      use: () => api.invoke(key, 'POST', '/', { body: { value: `{{ ${token} }}` } }),
      identify: () => api.invoke(identified.key, 'POST', '/', { body: {} }),
      react: () => story.react(reactor, {}),
      configure: () => api.manage('POST', '/proxies', { name: 'sealed', destination_url: destination.url }),
    };
    expect((await attempts.react()).json.raw).to.equal('s');
    expect((await attempts.identify()).status).to.equal(200);

    await glovebox('vault', 'seal');
    await until('runners know it', async () => (await attempts.react()).status !== 200);
    await until('gateways know it', async () => (await attempts.identify()).status !== 200);
    demanding.received.length = 0;
    for (const [name, attempt] of Object.entries(attempts)) {
      const { status, headers, json } = await attempt();
      const { code, doc_url } = json.proxy_error ?? json;
      expect([name, status, code]).to.deep.equal([name, 503, 'vault_sealed']);
      expect(headers['retry-after'], name).to.equal('10');
      expect(doc_url, name).to.match(/\/docs\/errors#vault_sealed$/);
    }
    for (const { received } of [destination, demanding])
      expect(received, 'nothing was sent').to.have.length(0);
    const plain = await api.invoke(key, 'POST', '/', { body: { value: 'needs no key' } });
    expect(plain.status, 'what needs no key').to.equal(200);

    await glovebox('vault', 'unseal');
    for (const attempt of [attempts.read, attempts.react, attempts.identify]) {
      await until('it is unsealed', async () => (await attempt()).status === 200);
    }
    for (const [name, attempt] of Object.entries(attempts))
      expect((await attempt()).status, name).to.be.below(300);
    expect(destination.received.map(({ body }) => body.toString())).to.include('{"value":"value"}');
  });
});
