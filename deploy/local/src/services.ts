import type { Child } from './child.ts';
import type { EdgeOptions } from './edge.ts';
import type { Progress } from './progress.ts';
import { type System, docsUrl, readyUrl, serviceEnvironments } from './service-env.ts';
import { type ServiceName, serviceNames } from './service-names.ts';
import { startServiceProcess, waitUntilReady } from './service-process.ts';
import type { StartOptions } from './start-options.ts';
import type { Supervisor } from './supervisor.ts';

export interface ServiceContext {
  readonly options: StartOptions;
  readonly system: System;
  readonly supervisor: Supervisor;
  readonly progress: Progress;
  readonly logFiles: Readonly<Record<ServiceName | 'edge' | 'destination', string>>;
  readonly signal: AbortSignal;
}

/** Starts the four services side by side, then the public address in front of them. */
export async function startServices(context: ServiceContext): Promise<void> {
  const { system, options, logFiles, progress } = context;
  const environments = serviceEnvironments(system);
  const children = new Map<ServiceName, Child>();
  for (const name of serviceNames) {
    const module = `services/${name}/src/main.ts`;
    children.set(name, await keep(context, name, module, environments[name], options.watch));
  }
  await keep(context, 'destination', 'deploy/local/src/echo-destination-main.ts', {
    DESTINATION_PORT: String(system.ports.destination),
  });
  const edge = await keep(context, 'edge', 'deploy/local/src/edge-main.ts', {
    ...system.passedOn,
    EDGE_OPTIONS: JSON.stringify(edgeOptions(options, system)),
  });
  await Promise.all(
    [...children].map(([name, child]) =>
      progress.step(name, () => waitUntilReady(child, readyUrl(system.ports, name), logFiles[name], context)),
    ),
  );
  // The edge asks the services themselves: when it is healthy, so is all.
  await progress.step('public address', () =>
    waitUntilReady(edge, `http://${addressOf(options)}/healthz`, logFiles.edge, context),
  );
}

async function keep(
  context: ServiceContext,
  name: ServiceName | 'edge' | 'destination',
  module: string,
  env: Readonly<Record<string, string>>,
  watch = false,
): Promise<Child> {
  const started = Promise.withResolvers<Child>();
  await context.supervisor.keep(name, async () => {
    const child = await startServiceProcess({ name, module, env, logFile: context.logFiles[name], watch });
    started.resolve(child);
    return child;
  });
  return await started.promise;
}

function edgeOptions(options: StartOptions, system: System): EdgeOptions {
  const host = '127.0.0.1';
  return {
    hosts: options.hosts,
    port: options.port,
    upstreams: {
      'control-api': { host, port: system.ports['control-api'] },
      'proxy-gateway': { host, port: system.ports['proxy-gateway'] },
    },
    docsUrl: docsUrl(system),
    readyUrls: Object.fromEntries(serviceNames.map((name) => [name, readyUrl(system.ports, name)])),
  };
}

function addressOf(options: StartOptions): string {
  const host = options.hosts[0] ?? '127.0.0.1';
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${options.port}`;
}
