import { execFile } from 'node:child_process';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { compileCache } from '../harness/compile-cache.ts';
import { type System, sharedSystem } from '../harness/system.ts';

describe("the operator's commands", function () {
  this.timeout(120_000);
  let system: System;
  before(async () => {
    system = await sharedSystem();
  });

  const glovebox = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', ...args];
      const env = { ...compileCache, PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: system.stateDir };
      execFile(process.execPath, command, { cwd: checkout, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  it('print their usage, with exit code 64 unless --help asks for it', async () => {
    for (const args of [[], ['tenant'], ['keys', 'burn'], ['audit']]) {
      const { code, stdout, stderr } = await glovebox(...args);
      expect([code, stdout]).to.deep.equal([64, '']);
      expect(stderr).to.include('keys rotate [--tenant ID] [--no-wait]');
    }
    const help = await glovebox('--help');
    expect([help.code, help.stderr]).to.deep.equal([0, '']);
    expect((await glovebox('audit', 'verify', '--help')).stdout).to.include('usage: audit verify');
    expect((await glovebox('tenant', 'create')).code).to.equal(64);
  });

  it('work in the running system', async () => {
    const config = await glovebox('config', 'check');
    expect(config.stdout.trim().split('\n')).to.deep.equal(
      serviceNames.map((service) => JSON.stringify({ service, problems: [] })),
    );
    expect(config.code).to.equal(0);
    const tenant = await glovebox('tenant', 'create', 'Of the commands');
    const { tenant_id } = JSON.parse(tenant.stdout) as { tenant_id: string };
    const rebuilt = await glovebox('projection', 'rebuild');
    expect(JSON.parse(rebuilt.stdout)).to.have.nested.property('records.tenant').above(0);
    const keys = await glovebox('keys', 'list');
    expect(JSON.parse(keys.stdout)).to.include.keys('key_encryption_keys', 'data_keys', 'ciphers');
    expect((await glovebox('keys', 'rotate', '--tenant', tenant_id)).code).to.equal(65);
    expect(JSON.parse((await glovebox('keys', 'rewrap')).stdout)).to.include({ rewrapped: 0 });
    const audit = await glovebox('audit', 'verify');
    expect([audit.code, JSON.parse(audit.stdout)]).to.deep.include(0);
    expect(JSON.parse(audit.stdout)).to.include({ intact: true });
  });
});
