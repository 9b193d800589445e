import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '@glovebox/local/ports';

import type { System } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import { withChildren } from '../measure/cpu.ts';
import type { LoadTarget } from '../measure/load.ts';
import { type Program, listens, startProgram } from '../measure/program.ts';
import type { Contender } from '../measure/rounds.ts';
import { nginxOrigin, nginxProxy } from '../peers/nginx.ts';
import type { GatewayProcess } from './gateways.ts';
import { plainRequest } from './requests.ts';

export interface Listening extends Program {
  readonly port: number;
}

const script = (name: string) => [
  process.execPath,
  fileURLToPath(new URL(`../peers/${name}.ts`, import.meta.url)),
];

/** The destination of all contenders, on the core of the load. */
export function startDestination(scratch: string, hasNginx: boolean): Promise<Listening> {
  return startListening(scratch, 'destination', (port) =>
    hasNginx ? nginxOrigin(join(scratch, 'destination'), port) : [...script('node-origin'), String(port)],
  );
}

export function startHttpProxy(scratch: string, cores: Cores, destination: number): Promise<Listening> {
  return startListening(scratch, 'http-proxy-3', (port) =>
    cores.measured([...script('http-proxy-3'), String(port), String(destination)]),
  );
}

export function startUndiciProxy(scratch: string, cores: Cores, destination: number): Promise<Listening> {
  return startListening(scratch, 'undici-proxy', (port) =>
    cores.measured([...script('undici-proxy'), String(port), String(destination)]),
  );
}

export function startNginxProxy(scratch: string, cores: Cores, destination: number): Promise<Listening> {
  return startListening(scratch, 'nginx', (port) =>
    cores.measured(nginxProxy(join(scratch, 'nginx'), port, destination)),
  );
}

export function peerContender(name: string, { pid, port }: Listening): Contender {
  return { name, target: plainRequest(port), processes: { itself: () => [pid] } };
}

export function gatewayContender(
  name: string,
  gateway: GatewayProcess,
  target: LoadTarget,
  system: System,
): Contender {
  const pidOf = (wanted: string) => system.dev.processes.find((known) => known.name === wanted)?.pid ?? 0;
  return {
    name,
    target,
    processes: {
      itself: () => [gateway.pid],
      vault: () => [pidOf('token-vault')],
      postgres: () => withChildren(pidOf('postgres')),
    },
  };
}

/** Starts a program that listens on a free port, and waits until it does. */
export async function startListening(
  scratch: string,
  name: string,
  command: (port: number) => readonly string[],
): Promise<Listening> {
  const port = await freePort();
  const logFile = join(scratch, `${name}.log`);
  const program = await startProgram({ command: command(port), logFile, ready: () => listens(port) });
  return { ...program, port };
}
