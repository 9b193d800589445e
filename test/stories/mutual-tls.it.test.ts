import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { makeCertificates } from '@glovebox/local/certificates';
import { checkout } from '@glovebox/local/places';
import { readRunning } from '@glovebox/local/run-journal';
import { type ServiceName, serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** The system as `GLOVEBOX_MTLS=1 npm start` runs it. */
describe('mutual TLS between the services', () => {
  let system: System;
  before(async () => {
    system = await startSystem({ env: { GLOVEBOX_MTLS: '1' } });
  });
  after(() => system[Symbol.asyncDispose]());

  /** A request that takes the control API, the gateway, the runner and the vault. */
  async function invoke(): Promise<number> {
    await using destination = await startDestination();
    const api = apiOf(system);
    const id = await api.token({ type: 'token', data: '4242424242424242' });
    const transform = {
      code: 'module.exports = async ({ args: { body } }) => ({ body: { seen: body.a } });',
    };
    const { key } = await api.proxy(destination.url, { request_transform: transform });
    const answer = await api.invoke(key, 'POST', '', { body: { a: `{{ ${id} }}` } });
    expect(String(destination.received[0]?.body)).to.equal('{"seen":"4242424242424242"}');
    return answer.status;
  }

  const called = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['--conditions=source', 'deploy/local/src/grpc.ts', ...args], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: system.stateDir },
    }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );

  it('carries a request from end to end', async () => {
    expect(await invoke()).to.equal(200);
  });

  it('lets the tool in with the certificate of the service that it acts as, and no further than the table', async () => {
    expect(await called('token-vault', 'Seal', '{}', '--as', 'control-api')).to.equal('{}\n');
    expect(await called('token-vault', 'Seal', '{}', '--as', 'proxy-gateway')).to.match(/PERMISSION_DENIED/);
  });

  it('goes on with certificates of another authority once all services have them', async () => {
    const ports = readRunning(system.stateDir)?.system?.ports;
    const expiryOf = async (name: ServiceName) => {
      const metrics = await (await fetch(`http://127.0.0.1:${ports?.[`${name}-metrics`]}/metrics`)).text();
      return /glovebox_grpc_certificate_expires_at_seconds\{.*\} (\S+)/.exec(metrics)?.[1];
    };
    const before = await Promise.all(serviceNames.map(expiryOf));
    expect(before).not.to.include(undefined);
    await makeCertificates(system.stateDir);
    const areTaken = async () => {
      const now = await Promise.all(serviceNames.map(expiryOf));
      return now.every((at, index) => at !== before[index]);
    };
    // Services read their files every 30 seconds where the kernel has no watch left for them.
    await until('all have taken the new ones', areTaken, 45_000);
    expect(await invoke()).to.equal(200);
  });
});
