import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

describe('uses of tokens, and the evidence of them', function () {
  this.timeout(120_000);
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let folder: string;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
    folder = await mkdtemp(join(tmpdir(), 'glovebox-evidence-'));
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** An operator's command; without the state of the system it has nothing but its arguments. */
  const glovebox = (env: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: number; output: Json; stderr: string }>((resolve) => {
      const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', ...args];
      const options = { cwd: checkout, env: { PATH: process.env['PATH'], ...env } };
      execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : Number(error.code),
          output: stdout === '' ? {} : (JSON.parse(stdout) as Json),
          stderr,
        }),
      );
    });
  const verify = (...args: string[]) => glovebox({}, 'audit', 'verify-export', ...args);

  it('a limit refuses the use in the request that exceeds it, before anything is sent', async () => {
    const { json: application } = await api.manage('POST', '/applications', {
      name: 'limited',
      type: 'private',
      permissions: ['token:use'],
      limits: { uses_per_hour: 2 },
    });
    const [one, two] = [
      await api.token({ type: 'token', data: 'x' }),
      await api.token({ type: 'token', data: 'y' }),
    ];
    const proxy = await api.proxy(destination.url);
    const invoke = (...ids: (string | undefined)[]) =>
      api.send('POST', '/proxy/', {
        key: application.key,
        headers: { 'SVC-PROXY-KEY': proxy.key },
        body: ids.map((id) => `{{ ${id} }}`),
      });
    expect((await invoke(one, two)).status).to.equal(200);
    const sent = destination.received.length;
    const refused = await invoke(one);
    expect(refused.status, refused.text).to.equal(429);
    expect(refused.headers['retry-after']).to.equal('60');
    expect(refused.json.proxy_error).to.include({ code: 'use_limit', status: 429 });
    expect(destination.received).to.have.length(sent);
    const { json } = await api.manage('GET', `/logs?entity_id=${one}&outcome=denied`);
    expect(json.data).to.have.length(1);
    expect(json.data[0]).to.include({ operation: 'use', reason: 'use_limit', actor_id: application.id });
  });

  it('an export is verified without the system, by its keys, also after they were rotated', async () => {
    const save = async (path: string, name: string) => {
      const { status, text } = await api.manage('GET', path);
      expect(status, text).to.equal(200);
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const first = await save('/logs/export', 'first.ndjson');
    const oldKeys = await save('/.well-known/glovebox-audit-keys', 'old.json');
    const rotated = await glovebox({ GLOVEBOX_STATE_DIR: system.stateDir }, 'audit', 'rotate-key');
    expect(rotated.output['keys']).to.have.length.above(1);

    const believed = await verify(first);
    expect([believed.code, believed.output['intact']]).to.deep.equal([0, true]);
    const oldFingerprint = rotated.output['keys'].at(1)?.fingerprint;
    expect(believed.output['believed_keys']).to.deep.equal([oldFingerprint]);
    const known = await verify(first, '--keys', oldKeys);
    expect([known.code, known.output['keys']]).to.deep.equal([0, [oldFingerprint]]);

    const lines = (await readFile(first, 'utf8')).split('\n');
    await writeFile(join(folder, 'changed.ndjson'), lines.toSpliced(1, 1).join('\n'));
    const changed = await verify(join(folder, 'changed.ndjson'), '--keys', oldKeys);
    expect([changed.code, changed.output['intact']]).to.deep.equal([65, false]);
    expect(changed.output['first_mismatch']).to.have.property('line', 2);
  });
});
