import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { certificateFiles, makeCertificates } from '@glovebox/local/certificates';
import { prepareDatabases } from '@glovebox/local/databases';
import { freePort } from '@glovebox/local/ports';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { startRedis } from '@glovebox/local/redis';
import { type ServiceName, serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { send } from '../../../test/harness/api.ts';
import { type Destination, startDestination } from '../../../test/harness/destination.ts';
import { until } from '../../../test/harness/until.ts';
import { developmentSecrets } from '../src/development-secrets.ts';
import { readManifests } from '../test/harness/manifests.ts';
import { type Workload, mainContainer, workloadsOf } from '../test/harness/workloads.ts';
import { type Setting, flagsOf, logsOf, runToEnd, start, whyNot } from './podman.ts';

const tlsFiles = {
  GRPC_TLS_CA_FILE: '/tls/ca.crt',
  GRPC_TLS_CERT_FILE: '/tls/tls.crt',
  GRPC_TLS_KEY_FILE: '/tls/tls.key',
};

/**
 * The images, started as the pods of the overlay `dev` say: their users, their read-only root, no capability, their
 * arguments and settings. Postgres, Redis and the destination are this machine's own, and so are the ports. There
 * is no cluster, so probes, policies and Services are not part of it.
 */
describe('the images, as the pods of dev run them', function () {
  this.timeout(180_000);
  const workloads = workloadsOf(readManifests('dev'));
  const workload = (name: string) => workloads.find((candidate) => candidate.name === name) as Workload;
  const stack = new AsyncDisposableStack();
  const settings: Record<string, Setting> = {};
  const ports: Record<string, number> = {};
  let destination: Destination;
  let postgres: RunningPostgres;
  let keys: { management_api_key: string; private_api_key: string };

  before(async function () {
    const images = [...serviceNames, 'backup'].map((name) => mainContainer(workload(name)).image as string);
    const reason = whyNot(images);
    if (reason !== undefined) {
      process.stderr.write(`\nSKIPPED: ${reason}. Nothing here has been tested.\n\n`);
      this.skip();
    }
    await prepare();
    for (const name of ['control-api', 'token-vault']) {
      await runToEnd(flagsFor(`${name}-migrations`, name));
    }
    await runToEnd(initFlags());
    for (const name of serviceNames) stack.use(await start(name, flagsFor(name, name)));
    for (const name of serviceNames) await ready(name);
    const cli = ['/glovebox/cli.mjs', 'tenant', 'create', 'Smoke', '--development'];
    keys = JSON.parse(
      await runToEnd([...flagsFor('control-api', 'control-api').slice(0, -2), ...cli]),
    ) as never;
  });
  after(() => stack.disposeAsync());

  it('migrate the databases, and have nothing left to do then', async () => {
    const again = await runToEnd(flagsFor('token-vault-migrations', 'token-vault'));
    expect(JSON.parse(again)).to.deep.equal({ msg: 'migrated', ran: [] });
  });

  it('serve a request from end to end: a token, a proxy, its transform with Node 16 and a package', async () => {
    const gateway = `http://127.0.0.1:${ports['proxy-gateway']}`;
    const data = { number: '4242424242424242' };
    const token = await send(gateway, 'POST', '/tokens', {
      key: keys.private_api_key,
      body: { type: 'token', data },
    });
    expect(token.status, token.text).to.equal(201);
    const code = `
      const { createHash } = require('crypto');
      const _ = require('lodash');
      module.exports = async ({ args: { body } }) => ({
        body: { ...body, last4: _.takeRight(body.pan, 4).join(''), hash: createHash('sha256').update(body.pan).digest('hex') },
      });`;
    const proxy = await send(`http://127.0.0.1:${ports['control-api']}`, 'POST', '/proxies', {
      key: keys.management_api_key,
      body: { name: 'smoke', destination_url: destination.url, request_transform: { code } },
    });
    expect(proxy.status, proxy.text).to.equal(201);
    const answer = await send(gateway, 'POST', '/proxy', {
      key: keys.private_api_key,
      headers: { 'SVC-PROXY-KEY': proxy.json.key },
      body: { pan: `{{ ${token.json.id} | json: '$.number' }}` },
    });
    expect(answer.status, answer.text + (await logsOf('reactor-runner'))).to.equal(200);
    const [received] = destination.received;
    const body = JSON.parse(String(received?.body)) as object;
    expect(body).to.include({ pan: data.number, last4: '4242' });
  });

  it('let no process look into another one of the same user', async () => {
    const looking = `
      const { execFileSync } = require('node:child_process');
      const look = "for (const file of ['environ', 'mem', 'fd']) try { require('node:fs')[file === 'fd' ? 'readdirSync' : 'readFileSync']('/proc/' + process.ppid + '/' + file); console.log('saw', file) } catch (error) { console.log(error.code) }";
      process.stdout.write(execFileSync(process.execPath, ['--eval', look]));`;
    const flags = flagsFor('reactor-runner', 'reactor-runner').slice(0, -2);
    expect(await runToEnd([...flags, '--eval', looking])).to.equal('EACCES\nEACCES\nEACCES\n');
  });

  it('back up both databases, and restore them into empty ones: every token opens', async () => {
    const made = await runToEnd(flagsFor('backup', 'backup'));
    const { env, folders } = settings['backup'] as Setting;
    const [name] = await readdir(folders['backups']!);
    const passwords = { control_restored: 'control-password', vault_restored: 'vault-password' };
    const { urls } = await prepareDatabases({ adminUrl: postgres.adminUrl, passwords, isPrivate: true });
    const into = {
      CONTROL_DATABASE_URL: urls['control_restored']!,
      VAULT_DATABASE_URL: urls['vault_restored']!,
    };
    expect(Object.keys(into)).to.deep.equal(Object.keys(env));
    const [job] = workloadsOf(readManifests('restore')) as [Workload];
    const container = {
      ...mainContainer(job),
      image: mainContainer(workload('backup')).image as string,
      args: ['restore', `/backups/${name}`],
    };
    expect(await runToEnd(flagsOf(job, container, { env: into, folders }))).to.equal(made);

    const vault = settings['token-vault'] as Setting;
    const ofRestored = { ...vault, env: { ...vault.env, DATABASE_URL: into.VAULT_DATABASE_URL } };
    const flags = flagsOf(workload('token-vault'), mainContainer(workload('token-vault')), ofRestored);
    const rotate = ['/glovebox/cli.mjs', 'keys', 'rotate', '--no-wait'];
    const opened = JSON.parse(await runToEnd([...flags.slice(0, -2), ...rotate])) as object;
    expect(opened).to.include({ tokens_resealed: 1, tokens_unreadable: 0 });
  });

  it('answer to `glovebox`, each to the commands of what it holds', async () => {
    const answers = {
      backup: 'backup DIRECTORY',
      'control-api': 'tenant create',
      'token-vault': 'keys rotate',
    };
    for (const name of [...serviceNames, 'backup']) {
      const image = mainContainer(workload(name)).image as string;
      const help = await runToEnd(['--entrypoint=glovebox', image, '--help']);
      expect(help).to.contain(answers[name as keyof typeof answers] ?? 'config check');
    }
  });

  it('hold no shell', async () => {
    for (const name of [...serviceNames, 'backup']) {
      const image = mainContainer(workload(name)).image as string;
      const failed = await runToEnd(['--entrypoint=/bin/sh', image]).then(
        () => false,
        (error: Error) => error.message.includes('no such file'),
      );
      expect(failed, name).to.equal(true);
    }
  });

  /** Stores, secrets and ports of this machine. */
  async function prepare(): Promise<void> {
    destination = stack.use(await startDestination());
    postgres = stack.use(await startPostgres({ ephemeral: true }));
    const redis = stack.use(await startRedis({ ephemeral: true }));
    const passwords = { control: 'control-password', vault: 'vault-password' };
    const { urls } = await prepareDatabases({ adminUrl: postgres.adminUrl, passwords, isPrivate: true });
    const folder = await mkdtemp(join(tmpdir(), 'glovebox-smoke-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const folders = {
      'key-secret': join(folder, 'secret'),
      'publication-key': join(folder, 'publication'),
      keys: join(folder, 'keys'),
    };
    const backups = join(folder, 'backups');
    const secrets = new Map(
      developmentSecrets().map(({ metadata, stringData }) => [metadata.name, stringData]),
    );
    for (const path of [...Object.values(folders), backups]) await makeVolume(path);
    settings['backup'] = {
      env: { CONTROL_DATABASE_URL: urls['control']!, VAULT_DATABASE_URL: urls['vault']! },
      folders: { backups },
    };
    for (const [volume, secret] of [
      ['key-secret', 'token-vault-keys'],
      ['publication-key', 'control-api-keys'],
    ] as const) {
      for (const [name, content] of Object.entries(secrets.get(secret) ?? {})) {
        const file = join(folders[volume], name);
        await writeFile(file, content, { mode: 0o440 });
        await chown(file, 0, 65_532);
      }
    }
    for (const name of [...serviceNames, ...serviceNames.map((service) => `${service}-metrics`)]) {
      ports[name] = await freePort();
    }
    const made = await makeCertificates(folder);
    for (const name of serviceNames) {
      const own = secrets.get(name) ?? {};
      const url = { 'control-api': urls['control'], 'token-vault': urls['vault'] }[name as string];
      settings[name] = {
        env: { ...own, ...tlsFiles, ...environment(name, redis.url, url) },
        folders: {
          ...folders,
          'grpc-certificate': await certificateFolder(folder, made, name),
          snapshot: await makeVolume(join(folder, `${name}-snapshot`)),
        },
      };
    }
  }

  /** As a volume with fsGroup. */
  async function makeVolume(path: string): Promise<string> {
    await mkdir(path);
    await chown(path, 0, 65_532);
    await chmod(path, 0o2777);
    return path;
  }

  /** As cert-manager's Secret is mounted. */
  async function certificateFolder(folder: string, made: string, name: ServiceName): Promise<string> {
    const mounted = join(folder, `${name}-grpc`);
    await mkdir(mounted, { mode: 0o755 });
    const { caFile, certFile, keyFile } = certificateFiles(made, name);
    const names = { 'ca.crt': caFile, 'tls.crt': certFile, 'tls.key': keyFile };
    for (const [target, file] of Object.entries(names)) {
      await copyFile(file, join(mounted, target));
      await chown(join(mounted, target), 0, 65_532);
      await chmod(join(mounted, target), 0o440);
    }
    return mounted;
  }

  function environment(name: ServiceName, redisUrl: string, databaseUrl?: string): Record<string, string> {
    const port = { HTTP_PORT: String(ports[name]), GRPC_PORT: String(ports[name]) };
    const dials = name === 'token-vault' ? {} : { VAULT_ADDRESS: `127.0.0.1:${ports['token-vault']}` };
    return {
      ...port,
      ...dials,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      METRICS_PORT: String(ports[`${name}-metrics`]),
      REDIS_URL: redisUrl,
      RUNNER_ADDRESS: `127.0.0.1:${ports['reactor-runner']}`,
      // The destination is on this machine.
      EGRESS_PROFILE: 'development',
    };
  }

  function flagsFor(name: string, service: string): string[] {
    return flagsOf(workload(name), mainContainer(workload(name)), settings[service] as Setting);
  }

  function initFlags(): string[] {
    const vault = workload('token-vault');
    return flagsOf(vault, vault.containers[0]!, { ...(settings['token-vault'] as Setting), env: {} });
  }

  async function ready(name: ServiceName): Promise<void> {
    const url = `http://127.0.0.1:${ports[`${name}-metrics`]}/readyz`;
    const answers = async () => (await fetch(url).catch(() => undefined))?.ok === true;
    await until(`${name} is ready`, answers, 60_000).catch(async (cause: unknown) => {
      throw new Error(`${name} did not become ready:\n${await logsOf(name)}`, { cause });
    });
  }
});
