/** `npm start`: the whole system on this machine, from an empty checkout to a curl that works. */
import { join } from 'node:path';

import { makeCertificates } from './certificates.ts';
import { claim, requirePublicPort } from './claim.ts';
import { keepDevFile } from './dev-file.ts';
import { ensureDevelopmentTenant, waitUntilKeysWork } from './development-tenant.ts';
import { ensureKeyFile } from './key-file.ts';
import { rotateLogs } from './logs.ts';
import { notesOf } from './notes.ts';
import { StartProblem } from './problem.ts';
import { type Progress, createProgress } from './progress.ts';
import { type PublicationKey, ensurePublicationKey } from './publication-key.ts';
import { readyBlock } from './ready-block.ts';
import { type System, readyUrl } from './service-env.ts';
import { serviceNames } from './service-names.ts';
import { startServices } from './services.ts';
import { type DevelopmentTenant, type Settings, loadSettings, saveSettings } from './settings.ts';
import { type StartOptions, readStartOptions } from './start-options.ts';
import { stopSignal } from './stop-signal.ts';
import { type Stores, startStores } from './stores.ts';
import { Supervisor } from './supervisor.ts';

const progress = createProgress(process.stdout);
const signal = stopSignal((reason) =>
  process.stdout.write(`\nStopping (${reason}). Press Ctrl-C again to stop at once.\n`),
);

try {
  await start(await readStartOptions(process.argv.slice(2), process.env), progress, signal);
} catch (error) {
  if (error instanceof StartProblem) {
    process.stderr.write(`\nGlovebox can't start: ${error.message}\n  ${error.advice}\n`);
  } else if (!signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  process.exitCode = signal.aborted ? 130 : 1;
}
if (signal.aborted) process.stdout.write('Stopped.\n');
// Nothing is left to wait for; the watchdog ends the rest.
process.exit();

async function start(options: StartOptions, progress: Progress, signal: AbortSignal): Promise<void> {
  process.stdout.write(`Starting Glovebox in ${options.checkout}\n`);
  using lock = await claim(options);
  void lock;
  const settings = await loadSettings(options.stateDir);
  await requirePublicPort(options);
  const logFiles = rotateLogs(options.stateDir, [
    'postgres',
    'redis',
    ...serviceNames,
    'edge',
    'destination',
  ]);
  const keyFile = join(options.stateDir, 'vault-key.json');
  ensureKeyFile(keyFile);
  const publicationKey = ensurePublicationKey(join(options.stateDir, 'publication-key.pem'));

  await using supervisor = new Supervisor(options.stateDir, progress);
  const stores = await startStores({ options, settings, supervisor, progress, logFiles, signal });
  signal.throwIfAborted();
  const system = await describeSystem(options, settings, stores, { keyFile, publicationKey });
  supervisor.publish(system);
  await startServices({ options, system, supervisor, progress, logFiles, signal });
  const tenant = await developmentTenant(options, settings, system, signal);

  using devFile = keepDevFile(
    options.stateDir,
    {
      base_url: options.baseUrl,
      ...tenant,
      service_urls: {
        'control-api': `http://127.0.0.1:${settings.ports['control-api']}`,
        'proxy-gateway': `http://127.0.0.1:${settings.ports['proxy-gateway']}`,
      },
      data_dirs: stores.dataDirs,
      log_files: Object.values(logFiles),
    },
    () => supervisor.processes(),
  );
  void devFile;
  process.stdout.write(
    readyBlock({
      baseUrl: options.baseUrl,
      destinationUrl: isStrict(options)
        ? 'https://example.com'
        : `http://localhost:${settings.ports.destination}`,
      tenant,
      stateDir: options.stateDir,
      strict: isStrict(options),
      stores: stores.descriptions,
      notes: await notesOf(serviceNames.map((name) => readyUrl(settings.ports, name))),
      seconds: progress.secondsSoFar(),
    }),
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function isStrict(options: StartOptions): boolean {
  return options.egressProfile === 'strict';
}

async function describeSystem(
  options: StartOptions,
  settings: Settings,
  stores: Stores,
  keys: { readonly keyFile: string; readonly publicationKey: PublicationKey },
): Promise<System> {
  return {
    ports: settings.ports,
    serviceTokens: settings.serviceTokens,
    databases: stores.databases,
    migrationDatabases: stores.migrationDatabases,
    redisUrl: stores.redisUrl,
    // On a shared server several installations must not meet.
    redisPrefix: options.redisUrl === undefined ? 'glovebox' : `glovebox-${settings.instance}`,
    ...keys,
    snapshots: join(options.stateDir, 'snapshots'),
    ...(options.mutualTls ? { certificates: await makeCertificates(options.stateDir) } : {}),
    egressProfile: options.egressProfile,
    publicBaseUrl: options.baseUrl,
    logLevel: options.logLevel,
    passedOn: { ...options.passedOn, NODE_COMPILE_CACHE: join(options.stateDir, 'compile-cache') },
  };
}

async function developmentTenant(
  options: StartOptions,
  settings: Settings,
  system: System,
  signal: AbortSignal,
): Promise<DevelopmentTenant> {
  return await progress.step('development tenant', async () => {
    const tenant = await ensureDevelopmentTenant(system, settings.developmentTenant);
    saveSettings(options.stateDir, { ...settings, developmentTenant: tenant });
    await waitUntilKeysWork(options.baseUrl, tenant, signal);
    return tenant;
  });
}
