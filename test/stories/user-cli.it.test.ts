import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { addMember } from '../harness/add-member.ts';
import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, send } from '../harness/api.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { type RunOptions, folderOf, runUserCli } from '../harness/user-cli.ts';
import { writeRelay } from '../harness/write-relay.ts';

const shop = `version: 1
applications:
  shop:
    type: private
    permissions: [token:read, token:create]
    rules:
      - { description: cards, priority: 2, container: /Cards/, transform: reveal, permissions: [token:use], destinations: [API.example.com] }
      - { priority: 1, container: /pii/, transform: mask, permissions: [token:read] }
    limits: { uses_per_hour: 1000 }
formulas:
  fees:
    code: ./fees.js
    configuration: [{ name: PERCENT, type: number }]
    request_parameters: [{ name: amount, type: number }]
proxies:
  charge:
    destination_url: https://api.example.com/v1
    application: shop
    request_transform: { code: ./charge.ts }
    response_transforms:
      - { type: mask, matcher: regex, expression: '"pan":"(.*?)"', replacement: '*' }
    configuration: { API_KEY: { env: PROCESSOR_KEY }, PIN: { file: secrets/pin }, RETRIES: 3 }
    allowed_destinations: [api.example.com]
    destination_tls: { client_certificate: { file: client.crt }, client_key: { file: client.key }, ca: { file: ca.crt } }
reactors:
  fee:
    formula: fees
    application: shop
    configuration: { PERCENT: 2 }
webhooks:
  told:
    url: https://hooks.example.com/glovebox
    events: [token.deleted, proxy.created]
egress_policy:
  mode: report
  destinations: [api.example.com, '*.example.org']
`;
const charge = `type Request = { args: { body: unknown; headers: object } };
module.exports = async (req: Request) => {
  return { body: req.args.body, headers: req.args.headers };
};
`;
const authority = await createCertificateAuthority('authority');
const day = 86_400_000;
const client = await authority.issue({
  uris: [],
  notBefore: new Date(Date.now() - day),
  notAfter: new Date(Date.now() + day),
});
const files = {
  'client.crt': client.cert,
  'client.key': client.key,
  'ca.crt': authority.cert,
  'glovebox.yaml': shop,
  'charge.ts': charge,
  'fees.js':
    'module.exports = async (req) => ({ raw: { fee: req.args.amount * req.configuration.PERCENT } });\n',
  'secrets/pin': '4711-pin\n',
};

/** The program of users over the whole system (docs/cli.md). */
describe('the command line for users', function () {
  // Each starts the program many times.
  this.timeout(180_000);
  let system: System;
  let env: Record<string, string>;
  let manage: (method: string, path: string, body?: unknown) => Promise<Json>;
  before(async () => {
    system = await sharedSystem();
  });
  /** Each test that changes something has a tenant of its own. */
  const tenant = async (name: string) => {
    const made = await anotherTenant(system, name);
    const { management_api_key: key } = made;
    env = {
      GLOVEBOX_URL: system.dev.base_url,
      GLOVEBOX_MANAGEMENT_KEY: key,
      PROCESSOR_KEY: 'hush-processor-key',
    };
    manage = async (method, path, body) =>
      (await send(system.dev.base_url, method, path, { key, ...(body === undefined ? {} : { body }) })).json;
    return made;
  };
  const run = (folder: string, args: readonly string[], options: RunOptions = {}) =>
    runUserCli(folder, args, { ...options, env: { ...env, ...options.env } });
  const names = async (path: string): Promise<string[]> =>
    (await manage('GET', path)).data.map(({ name }: Json) => name).toSorted();

  it('applies a folder: the second time changes nothing, drift is found, and diff says what apply does', async () => {
    await tenant('applies a folder');
    using folder = folderOf(files);
    const first = await run(folder.path, ['diff', '--json']);
    expect(first.code, first.stderr).to.equal(2);
    // New code is shown by its lines, as changed code is.
    expect((await run(folder.path, ['diff'])).stdout).to.contain(
      '    request_transform.code:\n      @@ line 1 @@\n      + module.exports = async (req)',
    );
    const planned = JSON.parse(first.stdout).changes.map(({ action, kind, name }: Json) => [
      action,
      kind,
      name,
    ]);
    expect(planned).to.deep.equal([
      ['update', 'egress_policy', undefined],
      ['create', 'applications', 'shop'],
      ['create', 'formulas', 'fees'],
      ['create', 'proxies', 'charge'],
      ['create', 'reactors', 'fee'],
      ['create', 'webhooks', 'told'],
    ]);
    expect(first.stdout)
      .not.to.contain('hush')
      .and.not.to.contain('4711-pin')
      .and.not.to.contain('PRIVATE KEY');
    const applied = await run(folder.path, [
      'apply',
      '--keys',
      'keys.json',
      '--comment',
      'begin – now',
      '--json',
    ]);
    expect(applied.code, applied.stderr).to.equal(0);
    expect(JSON.parse(applied.stdout).changes).to.deep.equal(JSON.parse(first.stdout).changes);
    const keys = JSON.parse(readFileSync(join(folder.path, 'keys.json'), 'utf8'));
    expect(keys.applications.shop).to.match(/^key_/);
    expect(keys.webhooks.told).to.match(/^whsec_/);
    expect(statSync(join(folder.path, 'keys.json')).mode & 0o777).to.equal(0o600);

    const second = await run(folder.path, ['apply', '--check']);
    expect([second.code, second.stdout], second.stderr + second.stdout).to.deep.equal([0, '']);
    const again = await run(folder.path, ['apply', '--json', '--keys', 'keys.json']);
    expect(JSON.parse(again.stdout)).to.deep.include({ changes: [], unchanged: 5, keys_made: [] });

    const [proxy] = (await manage('GET', '/proxies')).data;
    expect(proxy.configuration).to.deep.equal({
      API_KEY: 'hush-processor-key',
      PIN: '4711-pin',
      RETRIES: '3',
    });
    const [version] = (await manage('GET', `/proxies/${proxy.id}/versions`)).data;
    expect(version.comment).to.equal('begin – now');
    // Somebody changes it by hand, and a secret is rotated.
    await send(system.dev.base_url, 'PATCH', `/proxies/${proxy.id}`, {
      key: env['GLOVEBOX_MANAGEMENT_KEY'] ?? '',
      body: { timeout: 7 },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    const drift = await run(folder.path, ['apply', '--check', '--json'], {
      env: { PROCESSOR_KEY: 'hush-rotated' },
    });
    expect(drift.code, drift.stderr).to.equal(2);
    expect(JSON.parse(drift.stdout).changes).to.deep.equal([
      {
        action: 'update',
        kind: 'proxies',
        name: 'charge',
        id: proxy.id,
        members: [
          { path: 'configuration.API_KEY', secret: true },
          { path: 'timeout', before: 7 },
        ],
      },
    ]);
    expect((await run(folder.path, ['apply'], { env: { PROCESSOR_KEY: 'hush-rotated' } })).code).to.equal(0);
    const after = await manage('GET', `/proxies/${proxy.id}`);
    expect([after.configuration.API_KEY, after.timeout, after.key]).to.deep.equal([
      'hush-rotated',
      undefined,
      proxy.key,
    ]);
    for (const name of ['state.json']) {
      expect(readFileSync(join(folder.path, '.glovebox', name), 'utf8')).not.to.match(
        /hush|4711-pin|key_|whsec/,
      );
    }
  });

  it('prunes what it applied, and nothing else', async () => {
    await tenant('prunes');
    using folder = folderOf(files);
    await manage('POST', '/proxies', { name: 'by hand', destination_url: 'https://api.example.com' });
    expect((await run(folder.path, ['apply'])).code).to.equal(0);
    writeFileSync(join(folder.path, 'glovebox.yaml'), 'version: 1\n');
    const kept = await run(folder.path, ['diff']);
    expect([kept.code, kept.stdout]).to.deep.equal([0, kept.stdout]);
    expect(kept.stdout).to.contain('proxies.charge is no longer in the folder');
    expect((await run(folder.path, ['diff', '--prune'])).code).to.equal(2);
    const pruned = await run(folder.path, ['apply', '--prune', '--json']);
    expect(pruned.code, pruned.stderr).to.equal(0);
    expect(await names('/proxies')).to.deep.equal(['by hand']);
    expect(await names('/reactor-formulas')).to.deep.equal([]);
    expect((await run(folder.path, ['diff', '--prune'])).stdout).to.equal('');
  });

  it('keeps names and hosts of any spelling apart, and refuses to choose between two of one name', async () => {
    await tenant('hostile names');
    const given = [
      ' padded ',
      '__proto__',
      'constructor',
      '../up',
      '\u001b[2J',
      '日本\u202e',
      `${'n'.repeat(199)}!`,
    ];
    const definition = {
      destination_url: 'https://api.example.com',
      configuration: JSON.parse('{"constructor": "b", "toString": true}') as unknown,
      allowed_destinations: ['*.Bücher.example', 'API.example.com:443', 'api.example.com:8443'],
    };
    const proxies = Object.fromEntries(given.map((name) => [name, definition]));
    using folder = folderOf({ 'glovebox.yaml': JSON.stringify({ version: 1, proxies }) });
    const applied = await run(folder.path, ['apply']);
    expect(applied.code, applied.stderr).to.equal(0);
    // oxlint-disable-next-line no-control-regex -- what steers a terminal is looked for
    expect(applied.stderr + applied.stdout).not.to.match(/[\u001b\u202e]/);
    expect(await names('/proxies')).to.deep.equal(given.toSorted());
    const again = await run(folder.path, ['diff']);
    expect([again.code, again.stdout], again.stderr).to.deep.equal([0, '']);
    await manage('POST', '/proxies', { name: 'constructor', destination_url: 'https://api.example.com' });
    // The mark says which one it is; without it nobody knows.
    expect((await run(folder.path, ['diff'])).code).to.equal(0);
    rmSync(join(folder.path, '.glovebox'), { recursive: true });
    expect((await run(folder.path, ['apply'])).stderr).to.contain('2 proxies have this name');
    writeFileSync(join(folder.path, 'glovebox.yaml'), 'version: 1\n');
    expect((await run(folder.path, ['apply', '--prune'])).code).to.equal(0);
    expect(await names('/proxies')).to.have.length(given.length + 1);
  });

  it('goes on after it was killed at any step, as if it never had been', async () => {
    await tenant('killed');
    using folder = folderOf(files);
    await using relay = await writeRelay(system.dev.base_url);
    const ended = (signal: NodeJS.Signals) =>
      run(folder.path, ['apply'], {
        env: { GLOVEBOX_URL: relay.url },
        onStart: (child) => (relay.target = { child, signal }),
      });
    const interrupted = await ended('SIGINT');
    expect(interrupted.code, interrupted.stderr).to.equal(1);
    expect(interrupted.stderr).to.contain('interrupted: run it again to go on');
    // Each write is done and its answer is lost, until there is none left; the interrupted run may have made one.
    let kills = 0;
    let last = await ended('SIGKILL');
    for (; last.code === null; last = await ended('SIGKILL')) kills += 1;
    expect([last.code, kills >= 4], last.stderr).to.deep.equal([0, true]);
    // Also where the step was done and the mark was not written.
    rmSync(join(folder.path, '.glovebox'), { recursive: true });
    expect((await run(folder.path, ['apply'])).code).to.equal(0);
    expect((await run(folder.path, ['diff'])).code).to.equal(0);
    for (const [path, name] of [
      ['/proxies', 'charge'],
      ['/reactors', 'fee'],
      ['/reactor-formulas', 'fees'],
      ['/webhooks', 'told'],
    ] as const) {
      expect(await names(path)).to.deep.equal([name]);
    }
    expect((await manage('GET', '/proxies')).data[0].id).to.equal(
      JSON.parse(readFileSync(join(folder.path, '.glovebox/state.json'), 'utf8')).tenants[
        (await manage('GET', '/tenants/self')).id
      ].proxies.charge,
    );
  });

  it('makes nothing twice when two run at once, and one of two that differ fails', async () => {
    await tenant('two at once');
    using one = folderOf(files);
    using other = folderOf(files);
    const same = await Promise.all([run(one.path, ['apply']), run(other.path, ['apply'])]);
    expect(
      same.map(({ code }) => code),
      same.map(({ stderr }) => stderr).join(),
    ).to.deep.equal([0, 0]);
    expect(await names('/proxies')).to.deep.equal(['charge']);
    expect(await names('/webhooks')).to.deep.equal(['told']);
    const made = shop.replaceAll('charge:', 'newer:');
    writeFileSync(join(one.path, 'glovebox.yaml'), made.replace('example.com/v1', 'example.com/one'));
    writeFileSync(join(other.path, 'glovebox.yaml'), made.replace('example.com/v1', 'example.com/two'));
    const different = await Promise.all([run(one.path, ['apply']), run(other.path, ['apply'])]);
    const said = different.map(({ code, stderr }) => `${code} ${stderr}`).join('\n');
    expect(
      different.map(({ code }) => code),
      said,
    ).to.include(0);
    expect(await names('/proxies')).to.deep.equal(['charge', 'newer']);
    const lost = different.findIndex(({ code }) => code === 1);
    if (lost >= 0) expect(different[lost]?.stderr).to.contain('proxies.newer: somebody else has');
  });

  it('pulls a tenant into a folder that then differs in nothing, without any value of a configuration', async () => {
    await tenant('pulls');
    using folder = folderOf(files);
    expect((await run(folder.path, ['apply'])).code).to.equal(0);
    const hostile = `../../etc/\u001b[31m: {"x"} #${'n'.repeat(150)}`;
    await manage('POST', '/proxies', {
      name: hostile,
      destination_url: 'https://api.example.com',
      request_transform: { code: 'module.exports = async (req) => req.args;' },
    });
    using copy = folderOf({});
    const pulled = await run(copy.path, ['pull', '--json']);
    expect(pulled.code, pulled.stderr).to.equal(0);
    const all = readdirSync(copy.path)
      .map((name) => (name.includes('.glovebox') ? '' : readFileSync(join(copy.path, name), 'utf8')))
      .join();
    expect(all).not.to.contain('hush').and.not.to.contain('4711-pin');
    expect(existsSync(join(copy.path, 'charge.request.js'))).to.equal(true);
    const { variables } = JSON.parse(pulled.stdout);
    expect(variables).to.have.members([
      'CHARGE_API_KEY',
      'CHARGE_PIN',
      'CHARGE_RETRIES',
      'FEE_PERCENT',
      'CHARGE_CLIENT_KEY',
    ]);
    const set = {
      CHARGE_API_KEY: 'hush-processor-key',
      CHARGE_PIN: '4711-pin',
      CHARGE_RETRIES: '3',
      FEE_PERCENT: '2',
      CHARGE_CLIENT_KEY: client.key,
    };
    const same = await run(copy.path, ['diff'], { env: set });
    expect([same.code, same.stdout], same.stderr).to.deep.equal([0, '']);
    expect((await run(copy.path, ['pull'])).stderr).to.contain('--force');
    const listed = await run(copy.path, ['versions', 'proxy', hostile]);
    expect([listed.code, listed.stdout.split('\t')[0]]).to.deep.equal([0, '1']);
    expect((await run(copy.path, ['versions', 'proxy', `x${hostile}`])).stderr).not.to.contain('\u001b');
  });

  it('keeps what a trial gives, says what differs later, and tries again after each change', async () => {
    await tenant('snapshots');
    const code = (result: number) => `module.exports = async (req) => ({ body: { is: ${result} } });\n`;
    using folder = folderOf({ 'code.js': code(1) });
    const tryIt = (...more: string[]) =>
      run(folder.path, ['try', 'code.js', '--snapshot', 'snap.json', ...more]);
    const inCi = await run(folder.path, ['try', 'code.js', '--snapshot', 'snap.json'], { env: { CI: '1' } });
    expect([inCi.code, inCi.stderr]).to.deep.equal([
      1,
      'there is no snapshot snap.json, and where CI is set none is made\n',
    ]);
    expect((await tryIt()).code).to.equal(0);
    expect(JSON.parse(readFileSync(join(folder.path, 'snap.json'), 'utf8'))).to.deep.include({
      outcome: 'returned',
      result: { body: { is: 1 } },
    });
    expect((await tryIt()).code).to.equal(0);
    writeFileSync(join(folder.path, 'code.js'), code(2));
    const differs = await tryIt();
    expect([differs.code, differs.stderr]).to.deep.equal([1, 'warning: result.body.is: 1 → 2\n']);
    expect((await tryIt('--update')).code).to.equal(0);
    expect((await tryIt()).code).to.equal(0);

    const seen: string[] = [];
    const watched = await run(folder.path, ['try', 'code.js', '--watch', '--json'], {
      onStart(child) {
        child.stdout?.on('data', (chunk: Buffer) => {
          seen.push(chunk.toString());
          if (seen.length === 1) writeFileSync(join(folder.path, 'code.js'), code(3));
          else child.kill('SIGINT');
        });
      },
    });
    const results = seen.map((line) => JSON.parse(line).result.body.is);
    expect([watched.code, results], watched.stderr).to.deep.equal([0, [2, 3]]);
  });

  it('compares versions, restores one, and rolls out a draft of the folder', async () => {
    await tenant('versions');
    using folder = folderOf(files);
    expect((await run(folder.path, ['apply'])).code).to.equal(0);
    writeFileSync(join(folder.path, 'glovebox.yaml'), shop.replace('example.com/v1', 'example.com/v2'));
    expect((await run(folder.path, ['apply'])).code).to.equal(0);
    expect(
      (await run(folder.path, ['restore', 'proxy', 'charge', '1', '--comment', 'back – again'])).code,
    ).to.equal(0);
    const restored = JSON.parse((await run(folder.path, ['versions', 'proxy', 'charge', '--json'])).stdout);
    expect(restored.versions.map(({ version }: Json) => version)).to.deep.equal([3, 2, 1]);
    expect(restored.versions[0]).to.include({ comment: 'back – again' });
    expect((await run(folder.path, ['diff'])).code).to.equal(2);

    const between = async (version: string, against: string) =>
      (await run(folder.path, ['versions', 'proxy', 'charge', version, '--against', against])).stdout;
    expect(await between('2', '1')).to.equal(
      'destination_url: "https://api.example.com/v1" → "https://api.example.com/v2"\n',
    );
    // Nobody can see whether these are the same in versions that do not follow each other.
    expect(await between('3', '1')).to.match(/^(?:configuration\.\w+: \(a value that is not shown\)\n){3}$/);

    const rollOut = (...flags: string[]) => run(folder.path, ['rollout', 'proxy', 'charge', ...flags]);
    const share = ['--percent', '10.5', '--by', 'header:X-Customer', '--error-rate', '0.1'];
    const set = await rollOut('--version', '2', ...share, '--json');
    expect(set.code, set.stderr).to.equal(0);
    expect(JSON.parse(set.stdout)).to.deep.include({
      version: 2,
      percent: 10.5,
      by: 'header:x-customer',
      stop_when: { error_rate: 0.1, min_requests: 100 },
    });
    const [first = '', ...figures] = (await rollOut()).stdout.trimEnd().split('\n');
    expect(first).to.equal('running\t10.5 % by header:x-customer get version 2');
    expect(figures.map((line) => line.split('\t').slice(0, 2))).to.deep.equal([
      ['version 3', 'requests 0'],
      ['version 2', 'requests 0'],
    ]);
    expect((await rollOut('--end')).stdout).to.equal('the rollout of charge has ended\n');
    expect((await rollOut('--complete')).code).to.equal(1);
    expect((await rollOut('--version', '2')).stderr).to.contain('--percent');

    const drafted = await run(folder.path, ['draft', 'proxy', 'charge', '--comment', 'v2 – later', '--json']);
    expect(drafted.code, drafted.stderr).to.equal(0);
    expect(JSON.parse(drafted.stdout)).to.include({ kind: 'proxies', name: 'charge', version: 4 });
    expect((await manage('GET', '/proxies')).data[0].destination_url).to.equal('https://api.example.com/v1');
    expect((await rollOut('--version', '4', '--percent', '1', '--shadow')).code).to.equal(0);
    expect((await rollOut()).stdout).to.contain('compared 0\tequal 0\tskipped 0\n');
    expect((await rollOut('--complete')).code).to.equal(0);
    expect(await run(folder.path, ['diff'])).to.include({ code: 0, stdout: '' });
    for (const [name, said] of [
      ['charge', 'proxies.charge is as the folder says already'],
      ['nothing', 'proxies.nothing is not in the folder'],
    ] as const)
      expect((await run(folder.path, ['draft', 'proxy', name])).stderr).to.equal(`${said}\n`);
  });

  it('tries, invokes, makes tokens and follows the log', async () => {
    await tenant('day to day');
    using folder = folderOf({
      ...files,
      'event.json': '{"args": {"body": {"a": 1}, "headers": {}}}',
      'broken.ts': 'type T = string;\nmodule.exports = async () => { throw new Error("on line 2"); };\n',
      'token.json': '{"type": "token", "data": "4242-data"}',
      'args.json': '{"args": {"amount": 5}}',
    });
    expect((await run(folder.path, ['apply', '--keys', 'keys.json'])).code).to.equal(0);
    const { shop: key } = JSON.parse(readFileSync(join(folder.path, 'keys.json'), 'utf8')).applications;
    const tried = await run(folder.path, ['try', 'charge.ts', '--event', 'event.json', '--json']);
    expect(tried.code, tried.stderr + tried.stdout).to.equal(0);
    expect(JSON.parse(tried.stdout).result.body).to.deep.equal({ a: 1 });
    const threw = await run(folder.path, ['try', 'broken.ts']);
    expect([threw.code, threw.stdout]).to.deep.equal([1, threw.stdout]);
    expect(threw.stdout).to.match(/broken\.ts:2:\d+: Error: on line 2/);

    using home = folderOf({});
    const login = await run(home.path, ['login', '--url', system.dev.base_url], {
      input: `${env['GLOVEBOX_MANAGEMENT_KEY']}\n${key}\n`,
      env: { GLOVEBOX_URL: '', GLOVEBOX_MANAGEMENT_KEY: '' },
    });
    expect(login.code, login.stderr).to.equal(0);
    expect(statSync(join(home.path, '.config/glovebox/profiles.json')).mode & 0o777).to.equal(0o600);
    const mine = { env: { HOME: home.path, GLOVEBOX_URL: '', GLOVEBOX_MANAGEMENT_KEY: '' } };
    const created = await run(folder.path, ['tokens', 'create', '--body', 'token.json', '--json'], mine);
    expect(created.code, created.stderr).to.equal(0);
    const got = await run(folder.path, ['tokens', 'get', JSON.parse(created.stdout).id, '--json'], mine);
    expect(got.code, got.stderr).to.equal(0);
    const invoked = await run(
      folder.path,
      ['invoke', 'reactor', 'fee', '--body', 'args.json', '--json'],
      mine,
    );
    expect(invoked.code, invoked.stderr).to.equal(0);
    expect(JSON.parse(invoked.stdout).body).to.deep.equal({ raw: { fee: 10 } });
    // Nothing is sent in a dry run: the destination of this proxy does not exist.
    const token = JSON.parse(created.stdout).id as string;
    writeFileSync(join(folder.path, 'charge.json'), `{"pan": "{{ ${token} }}"}`);
    const dry = await run(
      folder.path,
      ['dry-run', 'proxy', 'charge', '--body', 'charge.json', '--json'],
      mine,
    );
    expect(JSON.parse(dry.stdout), dry.stderr).to.include({ dry_run: true, outcome: 'refused' });
    expect(dry.code).to.equal(1);
    const shown = await run(folder.path, ['dry-run', 'reactor', 'fee', '--body', 'args.json'], mine);
    expect([shown.code, shown.stdout.split('\n')[0]], shown.stderr).to.deep.equal([0, 'would_return']);
    expect(dry.stdout + shown.stdout).not.to.contain('4242-data');
    // A key of a profile never goes to another address.
    const elsewhere = await run(folder.path, ['diff'], {
      env: { ...mine.env, GLOVEBOX_URL: 'https://elsewhere.example' },
    });
    expect(elsewhere.stderr).to.contain('a management key is needed');

    const followed = await run(folder.path, ['logs', '--follow', '--subject', 'charge', '--json'], {
      onStart: (child) => child.stdout?.once('data', () => child.kill('SIGINT')),
    });
    expect(followed.code, followed.stderr).to.equal(0);
    expect(JSON.parse(followed.stdout.split('\n')[0] ?? '')).to.include({ entity_type: 'proxy' });

    const entriesOf = async (...period: string[]) => {
      const { stdout, code, stderr } = await run(folder.path, ['logs', '--json', ...period]);
      expect(code, stderr).to.equal(0);
      return stdout.split('\n').filter((line) => line !== '').length;
    };
    expect(await entriesOf('--since', '1h')).to.be.above(0);
    expect(await entriesOf('--until', '1h')).to.equal(0);
    const none = await run(folder.path, ['invocations', '--trace-id', 'never-sent']);
    expect([none.code, none.stdout]).to.deep.equal([0, '']);
    expect(none.stderr).to.contain('invocation_sampling');

    const failing = await run(
      folder.path,
      ['invocations', '--outcome', 'failed', '--follow', '--subject', 'charge'],
      {
        onStart: (child) => {
          child.stdout?.once('data', () => child.kill('SIGINT'));
          void run(folder.path, ['invoke', 'proxy', 'charge'], mine);
        },
      },
    );
    expect(failing.code, failing.stderr).to.equal(0);
    expect(failing.stdout).to.match(/ failed proxy [0-9a-f-]{36} 502 .* bad_gateway /);
  });

  it('verifies an export of the log from the file alone, and names the first line that was changed', async () => {
    await tenant('verifies an export');
    const fetched = async (path: string) =>
      (await send(system.dev.base_url, 'GET', path, { key: env['GLOVEBOX_MANAGEMENT_KEY'] ?? '' })).text;
    const [exported, keys] = [
      await fetched('/logs/export'),
      await fetched('/.well-known/glovebox-audit-keys'),
    ];
    using folder = folderOf({
      'export.ndjson': exported,
      'keys.json': keys,
      'changed.ndjson': exported.split('\n').toSpliced(1, 1).join('\n'),
      'others.json': JSON.stringify({ keys: [{ x: Buffer.alloc(32, 1).toString('base64url') }] }),
      'none.json': '{"keys":[]}',
    });
    const verify = async (...args: string[]) => {
      const { code, stdout, stderr } = await runUserCli(folder.path, ['audit', 'verify-export', ...args]);
      return { code, stderr, said: stdout === '' ? undefined : JSON.parse(stdout) };
    };
    const [{ kid }] = JSON.parse(keys).keys;
    const known = await verify('export.ndjson', '--keys', 'keys.json');
    expect(known).to.deep.include({ code: 0, stderr: '' });
    expect(known.said).to.deep.include({ intact: true, keys: [kid] });
    expect((await verify('export.ndjson', '--json')).said).to.deep.include({ believed_keys: [kid] });
    for (const [file, keysFile, line] of [
      ['changed.ndjson', 'keys.json', 2],
      ['export.ndjson', 'others.json', exported.trim().split('\n').length],
    ] as const) {
      const { code, said } = await verify(file, '--keys', keysFile);
      expect([code, said.intact, said.first_mismatch.line], file).to.deep.equal([1, false, line]);
    }
    for (const [args, reason] of [
      [['nowhere'], 'nowhere cannot be read'],
      [['export.ndjson', '--keys', 'nowhere'], 'nowhere cannot be read'],
      [['export.ndjson', '--keys', 'none.json'], 'none.json has no keys'],
    ] as const) {
      const { code, stderr, said } = await verify(...args);
      expect([code, said]).to.deep.equal([1, undefined]);
      expect(stderr).to.contain(reason);
    }
  });

  it('refuses hostile folders before it sends anything', async () => {
    await tenant('hostile folders');
    using outside = folderOf({ secret: 'outside' });
    const bomb = `version: 1\na: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f']
      .map(
        (name, index) =>
          `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcde'[index]}`).join(', ')}]`,
      )
      .join('\n')}\n`;
    const proxy = (more: string) =>
      `version: 1\nproxies:\n  p: { destination_url: https://api.example.com, ${more} }\n`;
    for (const [yaml, said] of [
      [proxy(`request_transform: { code: ../../etc/passwd }`), /is not there|leads out of the folder/],
      [proxy(`request_transform: { code: ./link.js }`), 'leads out of the folder'],
      [proxy(`request_transform: { code: /etc/passwd }`), 'is not a path in the folder'],
      [
        proxy(`configuration: { A: { file: ../${outside.path.split('/').at(-1)}/secret } }`),
        'leads out of the folder',
      ],
      [proxy(`configuration: { A: { env: NOT_SET_AT_ALL } }`), 'NOT_SET_AT_ALL is not set'],
      [
        proxy(`configuration: { A: { command: [id] } }`),
        'must be text, {env: NAME}, {file: PATH} or {sops: PATH, key: NAME}',
      ],
      [proxy(`destinaton_url: x`), 'destinaton_url: is not known'],
      [proxy(`application: nobody`), 'there is no application nobody'],
      [bomb, /Excessive alias count|is not known/],
      ['version: 2\n', 'version: must be 1'],
      ['version: 1\nproxies: { a: {}, a: {} }\n', 'Map keys must be unique'],
      ['version: 1\n__proto__: { polluted: true }\n', '__proto__: is not known'],
      ['version: 1\nproxies: !!js/function "x"\n', 'glovebox.yaml'],
      ['- 1\n', 'must be a map'],
    ] as const) {
      using folder = folderOf({ 'glovebox.yaml': yaml });
      execFileSync('ln', ['-s', join(outside.path, 'secret'), join(folder.path, 'link.js')]);
      const refused = await run(folder.path, ['apply']);
      expect(refused.code, `${yaml}\n${refused.stderr}`).to.equal(1);
      expect(refused.stderr, yaml).to.match(
        typeof said === 'string' ? new RegExp(said.replaceAll(/[{}[\]:.]/g, '\\$&')) : said,
      );
      expect(refused.stderr, yaml).not.to.contain('bug of glovebox');
    }
    expect(await names('/proxies')).to.deep.equal([]);
  });

  it('shows code, message, doc_url and trace_id of an error, as text and as JSON, and ends with 1', async () => {
    await tenant('errors');
    using folder = folderOf({
      'glovebox.yaml': 'version: 1\nproxies: { p: { destination_url: "http://169.254.169.254" } }\n',
    });
    const text = await run(folder.path, ['apply']);
    expect([text.code, text.stdout]).to.deep.equal([1, '']);
    expect(text.stderr).to.match(
      /^invalid_argument: .*\n {2}destination_url: .*\nhttps?:.*#invalid_argument\ntrace id [\w-]+\n$/,
    );
    const json = await run(folder.path, ['apply', '--json']);
    expect(JSON.parse(json.stderr).error).to.include.keys('code', 'message', 'doc_url', 'trace_id', 'errors');
    const usage = await run(folder.path, ['versions', 'proxy']);
    expect([usage.code, usage.stderr]).to.deep.equal([1, usage.stderr]);
    expect(usage.stderr).to.contain('usage: glovebox versions KIND NAME');
  });

  it('lists and changes members and invitations, by address or id', async () => {
    const { tenant_id } = await tenant('people');
    const id = await addMember(system, tenant_id, 'Ann@example.org');
    using folder = folderOf({});
    const people = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(folder.path, args);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    const { owner_id } = await manage('GET', '/tenants/self');
    expect(await people('members', 'list')).to.equal(`${owner_id}\tOWNER\n${id}\tVIEWER\tAnn@example.org\n`);
    expect(await people('members', 'role', 'ann@example.org', 'developer')).to.contain('is DEVELOPER now');
    expect(JSON.parse(await people('members', 'role', id, 'AUDITOR', '--json'))).to.include({
      id,
      role: 'AUDITOR',
    });
    await people('members', 'remove', 'ANN@example.org');
    expect(JSON.parse(await people('members', 'list', '--json')).members).to.have.length(1);

    const invited = await people('invitations', 'create', 'Bob@example.org', '--role', 'developer');
    expect(invited).to.match(/^Bob@example.org may sign in as DEVELOPER until 2\d{3}-/);
    expect(await people('invitations', 'renew', 'bob@example.org')).to.contain('may sign in as DEVELOPER');
    expect(await people('invitations', 'list')).to.match(
      /^[\w-]{36}\tDEVELOPER\tBob@example.org\tPENDING\t2.*\n$/i,
    );
    await people('invitations', 'delete', 'bob@example.org');
    expect(JSON.parse(await people('invitations', 'list', '--json')).invitations).to.deep.equal([]);

    for (const [args, said] of [
      [['members', 'remove', 'bob@example.org'], 'there is no member bob@example.org'],
      [['members', 'remove', owner_id], 'The owner of a tenant cannot be removed.'],
      [['invitations', 'create', 'bob@example.org', '--role', 'KING'], 'role'],
      [['members', 'role', id], 'usage: glovebox members role PERSON ROLE'],
    ] as const) {
      const refused = await run(folder.path, args);
      expect([refused.code, refused.stdout], refused.stderr).to.deep.equal([1, '']);
      expect(refused.stderr).to.contain(said);
    }
  });

  it('is installed from npm pack as one file without dependencies, and begins a folder', async () => {
    await tenant('installed');
    using folder = folderOf({ 'package.json': '{}' });
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', args, {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, npm_config_cache: join(folder.path, '.npm') },
      });
    const packed = npm(
      ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', folder.path],
      join(checkout, 'packages/cli'),
    );
    npm(['install', '--offline', '--no-audit', packed.trim().split('\n').at(-1) ?? ''], folder.path);
    expect(
      readdirSync(join(folder.path, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).to.deep.equal(['@glovebox']);
    const program = join(folder.path, 'node_modules/.bin/glovebox');
    expect((await run(folder.path, ['init'], { program })).code).to.equal(0);
    const applied = await run(folder.path, ['apply', '--json'], { program });
    expect(applied.code, applied.stderr).to.equal(0);
    expect((await run(folder.path, ['apply', '--check'], { program })).code).to.equal(0);
    expect((await run(folder.path, ['types'], { program })).code).to.equal(0);
    expect(readFileSync(join(folder.path, '.glovebox/types/transform.d.ts'), 'utf8')).to.contain(
      'type RequestTransform',
    );
    // The tests of a project of its user (docs/cli.md#try-file).
    const test = 'glovebox try code.js --snapshot snap.json';
    writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ scripts: { test } }));
    const npmTest = async (result: number) => {
      const code = `module.exports = async () => ({ body: { is: ${result} } });`;
      writeFileSync(join(folder.path, 'code.js'), code);
      const npmEnv = { ...env, PATH: process.env['PATH'], HOME: folder.path };
      const ran = promisify(execFile)('npm', ['test'], { cwd: folder.path, env: npmEnv });
      return ran.catch((error: unknown) => error as { code: number; stderr: string });
    };
    for (const time of ['first', 'second']) expect(await npmTest(1), time).to.not.have.property('code');
    expect(await npmTest(2))
      .to.include({ code: 1 })
      .and.have.property('stderr')
      .that.includes('result.body.is: 1 → 2');
    const completion = await run(folder.path, ['completion', 'bash'], { program });
    execFileSync('bash', ['-n'], { input: completion.stdout });
    expect(completion.stdout).to.contain('members*) words="list role remove" ;;');
  });
});
