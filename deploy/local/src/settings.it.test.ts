import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { StartProblem } from './problem.ts';
import { loadSettings, readSettings, settingsFile } from './settings.ts';

describe('settings', () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'glovebox-settings-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  it('are made once and kept', async () => {
    const first = await loadSettings(stateDir);
    expect(await loadSettings(stateDir)).to.deep.equal(first);
    expect(readSettings(stateDir)).to.deep.equal(first);
  });

  it('can be read by their owner only', async () => {
    await loadSettings(stateDir);
    expect(statSync(settingsFile(stateDir)).mode & 0o777).to.equal(0o600);
  });

  it('hold a secret of its own for each purpose, and a port of its own for each listener', async () => {
    const { postgresPassword, redisPassword, databasePasswords, serviceTokens, ports } =
      await loadSettings(stateDir);
    const secrets = [
      postgresPassword,
      redisPassword,
      ...Object.values(databasePasswords),
      ...Object.values(serviceTokens),
    ];
    expect(new Set(secrets).size).to.equal(8);
    expect(new Set(Object.values(ports)).size).to.equal(Object.keys(ports).length);
  });

  it('replace a port that someone else has taken, and only that one', async () => {
    const first = await loadSettings(stateDir);
    const intruder = createServer();
    await new Promise<void>((resolve) => intruder.listen(first.ports.redis, '127.0.0.1', resolve));
    const second = await loadSettings(stateDir);
    await new Promise((resolve) => intruder.close(resolve));
    expect(second.ports.redis).not.to.equal(first.ports.redis);
    expect({ ...second.ports, redis: 0 }).to.deep.equal({ ...first.ports, redis: 0 });
  });

  it('of another version, or damaged, are refused and left alone', async () => {
    for (const content of ['{"version": 2}', '{"version": ']) {
      writeFileSync(settingsFile(stateDir), content);
      const outcome = await loadSettings(stateDir).catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(StartProblem);
      expect(readFileSync(settingsFile(stateDir), 'utf8')).to.equal(content);
    }
  });
});
