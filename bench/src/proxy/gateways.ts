import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { readRunning } from '@glovebox/local/run-journal';
import { serviceEnvironments } from '@glovebox/local/service-env';

import type { System } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import { type Program, startProgram } from '../measure/program.ts';

/** A gateway of the bench's own beside that of the system, so that it can be pinned and configured. */
export interface GatewayProcess extends Program {
  readonly port: number;
  readonly metricsPort: number;
}

/**
 * Starts a gateway as `npm start` does, on the measured core.
 *
 * @param env added to what the system gives to its gateway
 * @param folder of the checkout whose gateway it is; default: this one
 */
export async function startGateway(
  system: System,
  cores: Cores,
  name: string,
  env: Readonly<Record<string, string>> = {},
  folder = checkout,
): Promise<GatewayProcess> {
  const journal = readRunning(system.stateDir);
  if (journal?.system === undefined) throw new Error('the system does not run');
  const [port, metricsPort] = [await freePort(), await freePort()];
  const program = await startProgram({
    command: cores.measured([nodeOf(folder), '--conditions=source', 'services/proxy-gateway/src/main.ts']),
    cwd: folder,
    env: {
      ...serviceEnvironments(journal.system)['proxy-gateway'],
      HTTP_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      // Of its own, as a pod has it: two processes do not share a snapshot.
      REGISTRY_SNAPSHOT_DIR: join(system.stateDir, 'bench-snapshots', name),
      ...env,
    },
    logFile: join(system.stateDir, 'logs', `bench-${name}.log`),
    ready: () => isReady(`http://127.0.0.1:${metricsPort}/readyz`),
  });
  return { ...program, port, metricsPort };
}

/** Each checkout runs on the Node that its lockfile names. */
function nodeOf(folder: string): string {
  const own = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  return existsSync(own) ? own : process.execPath;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
