import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { spawnChild } from '@glovebox/local/child';
import type { Program } from '@glovebox/local/debian-program';
import { freePort } from '@glovebox/local/ports';
import { type Upstream, routes } from '@glovebox/local/route-table';

import { until } from './until.ts';

export interface Backend {
  readonly host: string;
  readonly port: number;
  /** Of its `/readyz`. */
  readonly metricsPort: number;
}

export interface Haproxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

export interface HaproxyOptions {
  /** Gets its files. */
  readonly folder: string;
  readonly backends: Readonly<Record<Upstream, readonly Backend[]>>;
  /** How often each server is asked whether it is ready. */
  readonly checkMs: number;
}

/** A balancer in front of both public services: requests take turns, and only servers that say they are ready get any. */
export async function startHaproxy(program: Program, options: HaproxyOptions): Promise<Haproxy> {
  const port = await freePort();
  const file = join(options.folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, options));
  const child = await spawnChild({
    name: 'haproxy',
    command: program.command,
    args: ['-db', '-f', file],
    env: program.env,
    logFile: join(options.folder, 'haproxy.log'),
    stopSignal: 'SIGTERM',
    graceMs: 1000,
    rank: 4,
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = async () =>
    child.hasExited() || (await fetch(`${url}/openapi.json`).catch(() => undefined))?.ok === true;
  await until('the balancer has servers', answers);
  if (child.hasExited()) throw new Error(`HAProxy ended at once: see haproxy.log beside ${file}`);
  return { url, port, pid: child.pid, [Symbol.asyncDispose]: () => child.stop() };
}

function configuration(port: number, { backends, checkMs }: HaproxyOptions): string {
  const rules = routes
    .slice(0, -1)
    .map(({ path, upstream }) => `  use_backend ${upstream} if { path_reg ${patternOf(path)} }`);
  const sections = Object.entries(backends).map(([name, servers]) => [
    `backend ${name}`,
    ...servers.map(
      (server, at) => `  server ${name}-${at} ${server.host}:${server.port} check port ${server.metricsPort}`,
    ),
  ]);
  return [
    'global',
    '  nbthread 1',
    'defaults',
    '  mode http',
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    `  default-server inter ${checkMs} fall 2 rise 1`,
    '  timeout check 10s',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    // A connection that was refused has carried no request.
    '  option redispatch 1',
    'frontend edge',
    `  bind 127.0.0.1:${port}`,
    ...rules,
    `  default_backend ${routes.at(-1)?.upstream}`,
    ...sections.flat(),
    '',
  ].join('\n');
}

/** The paths of a route of the edge as a regular expression. */
function patternOf(path: string): string {
  const segments = path.slice(1).split('/');
  return `^${segments.map((part) => (part === '**' ? '(/.*)?' : part === '*' ? '/[^/]+' : `/${part}`)).join('')}$`;
}
