import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { expect } from 'chai';

import type { DevFile } from './dev-file.ts';
import { checkout } from './places.ts';
import { identify, isAlive } from './processes.ts';

const run = promisify(execFile);

describe('npm start', () => {
  let stateDir: string;
  let npm: ChildProcess;
  let output: string;

  before(async () => {
    stateDir = mkdtempSync('/tmp/glovebox-test-start-');
    borrowPrograms(stateDir);
    await start();
  });

  after(async () => {
    if (npm.exitCode === null && npm.signalCode === null) await pressCtrlC();
    rmSync(stateDir, { recursive: true, force: true });
  });

  const env = () => ({ ...process.env, GLOVEBOX_STATE_DIR: stateDir, PORT: '0' });
  const devFile = () => JSON.parse(readFileSync(join(stateDir, 'dev.json'), 'utf8')) as DevFile;
  const pidOf = (name: string) => devFile().processes.find((process) => process.name === name)?.pid;

  async function start(): Promise<void> {
    output = '';
    // In a process group of its own, as a terminal's foreground job is.
    npm = spawn('npm', ['start'], {
      cwd: checkout,
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    while (!output.includes('Ctrl-C stops everything')) {
      if (npm.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      await delay(50);
    }
  }

  async function pressCtrlC(): Promise<void> {
    const ended = once(npm, 'exit');
    process.kill(-(npm.pid as number), 'SIGINT');
    await ended;
  }

  async function healthStatus(): Promise<number> {
    return await fetch(`${devFile().base_url}/healthz`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  it('prints a block that, pasted, lets a real destination receive what the caller never sent', async () => {
    const block = /^ {2}TOKEN=[^]*?\n\n/m.exec(output)?.[0] ?? '';
    const { stdout } = await run('sh', ['-c', block]);
    const [sent = '', ...answer] = stdout.split('\n');
    expect(sent).to.match(/^sent: \{"card":"\{\{[0-9a-f-]{36}\}\}"\}$/);
    const { the_destination_received: received } = JSON.parse(answer.join('\n')) as {
      the_destination_received: { method: string; path: string; body: unknown };
    };
    expect(received).to.deep.include({ method: 'POST', path: '/charge', body: { card: '4242424242424242' } });
  });

  it('tells tools what they need, in a file for its owner only', () => {
    const file = devFile();
    expect(statSync(join(stateDir, 'dev.json')).mode & 0o777).to.equal(0o600);
    const names = new Set(file.processes.map(({ name }) => name));
    expect([...names]).to.include.members(['control-api', 'proxy-gateway', 'reactor-runner', 'token-vault']);
    for (const { pid } of file.processes) expect(isAlive(identify(pid)), String(pid)).to.equal(true);
    for (const path of [...file.data_dirs, ...file.log_files]) expect(existsSync(path), path).to.equal(true);
  });

  it('answers with each service past the public address', async () => {
    for (const url of Object.values(devFile().service_urls)) {
      expect((await fetch(`${url}/proxies`)).status).to.be.within(400, 499);
    }
  });

  it('makes another tenant, whose key works at once', async () => {
    const { stdout } = await run('npm', ['run', '-s', 'glovebox', '--', 'tenant', 'create', 'Second one'], {
      cwd: checkout,
      env: env(),
    });
    const tenant = JSON.parse(stdout) as Record<string, string>;
    expect(Object.keys(tenant)).to.deep.equal(['tenant_id', 'management_api_key']);
    expect(tenant['tenant_id']).not.to.equal(devFile().tenant_id);
    const answer = await fetch(`${devFile().base_url}/proxies`, {
      headers: { 'SVC-API-KEY': tenant['management_api_key'] ?? '' },
    });
    expect(answer.status).to.equal(200);
  });

  it('lets no second one run beside it', async () => {
    const second = await run('npm', ['start'], { cwd: checkout, env: env() }).catch(
      (error: { stderr: string }) => error,
    );
    expect(second.stderr).to.include('it runs already from this checkout');
    expect(await healthStatus()).to.equal(200);
  });

  for (const name of ['proxy-gateway', 'token-vault', 'postgres', 'redis', 'edge']) {
    it(`starts ${name} again after it was killed`, async () => {
      const killed = pidOf(name) as number;
      process.kill(killed, 'SIGKILL');
      while (pidOf(name) === undefined || pidOf(name) === killed || (await healthStatus()) !== 200) {
        await delay(50);
      }
    });
  }

  it('leaves nothing running after Ctrl-C, and finds all its data at the next start', async () => {
    const first = devFile();
    const headers = { 'SVC-API-KEY': first.private_api_key, 'Content-Type': 'application/json' };
    const created = await fetch(`${first.base_url}/tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ type: 'token', data: 'kept' }),
    });
    const { id } = (await created.json()) as { id: string };
    const few = ['application:read', 'application:update', 'tenant:read'];
    await setPermissions(first, few);
    const processes = first.processes.map(({ pid }) => identify(pid));
    await pressCtrlC();
    while (processes.some(isAlive)) await delay(20);
    expect(readdirSync(stateDir)).not.to.include.members(['dev.json']);
    await start();
    expect(devFile().tenant_id).to.equal(first.tenant_id);
    const found = await fetch(`${devFile().base_url}/tokens/${id}`, { headers });
    expect(found.status).to.equal(200);
    expect(await permissionsOf(devFile())).to.include.members([...few, 'proxy:create', 'tenant:delete']);
  });

  it('leaves nothing running when it is killed', async () => {
    const processes = devFile().processes.map(({ pid }) => identify(pid));
    const journal = JSON.parse(readFileSync(join(stateDir, 'run.json'), 'utf8')) as {
      supervisor: { pid: number };
    };
    process.kill(journal.supervisor.pid, 'SIGKILL');
    while (processes.some(isAlive)) await delay(20);
  });
});

async function permissionsOf({ base_url, management_api_key }: DevFile): Promise<string[]> {
  const headers = { 'SVC-API-KEY': management_api_key };
  const answer = await fetch(`${base_url}/applications/key`, { headers });
  return ((await answer.json()) as { permissions: string[] }).permissions;
}

/** As a version has left them that knew no others. */
async function setPermissions(file: DevFile, permissions: readonly string[]): Promise<void> {
  const headers = { 'SVC-API-KEY': file.management_api_key, 'Content-Type': 'application/json' };
  const { id } = (await (await fetch(`${file.base_url}/applications/key`, { headers })).json()) as {
    id: string;
  };
  const body = JSON.stringify({ name: 'management', permissions });
  const answer = await fetch(`${file.base_url}/applications/${id}`, { method: 'PUT', headers, body });
  expect(answer.status).to.equal(200);
}

/** What was fetched or copied for this checkout before needs not be fetched again for a fresh state directory. */
function borrowPrograms(stateDir: string): void {
  const usual = join(checkout, '.glovebox');
  for (const name of existsSync(usual) ? readdirSync(usual) : []) {
    if (/^(redis-debian|postgres-)/.test(name) && !name.includes(`.${process.pid}`)) {
      symlinkSync(join(usual, name), join(stateDir, name));
    }
  }
  const compiled = process.env['NODE_COMPILE_CACHE'];
  if (compiled !== undefined) symlinkSync(compiled, join(stateDir, 'compile-cache'));
}
