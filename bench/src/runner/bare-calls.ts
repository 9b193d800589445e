import { fileURLToPath } from 'node:url';

import type { Cores } from '../measure/cores.ts';
import { runCommand } from '../measure/run-command.ts';
import { args, transforms } from './transforms.ts';

const program = fileURLToPath(new URL('../peers/isolated-vm.ts', import.meta.url));
const request = `{"args":${args.toString()},"configuration":{}}`;

/** Timeouts of the calls that the runner is compared with, in milliseconds. */
export const bareCalls: Readonly<Record<string, number>> = {
  'isolated-vm alone, no timeout': 0,
  'isolated-vm alone, timeout armed': 1000,
};

/**
 * What the same transform costs where there is nothing but isolated-vm's `applySync` around it, on the core on which the
 * runner is: the least that a runner could take.
 * @returns microseconds of CPU per call
 */
export async function measureBareCalls(cores: Cores, timeoutMs: number): Promise<number> {
  const command = [process.execPath, '--no-node-snapshot', '--conditions=source', program];
  const code = transforms['plain function'] ?? '';
  return Number(await runCommand(cores.measured([...command, code, request, String(timeoutMs)])));
}
