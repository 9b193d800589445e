import { fileURLToPath } from 'node:url';

import type { Cores } from '../measure/cores.ts';
import { runCommand } from '../measure/run-command.ts';
import { args, transforms } from './transforms.ts';

const program = fileURLToPath(new URL('../peers/isolated-vm.ts', import.meta.url));
const request = `{"args":${args.toString()},"configuration":{}}`;

/** A transform called with nothing but isolated-vm around it. */
export interface BareCall {
  readonly name: string;
  /** Which of the transforms. */
  readonly transform: string;
  /** Of each call, in milliseconds; 0: none. */
  readonly timeoutMs: number;
}

/** What the runner is compared with, each kind of function with its own kind. */
export const bareCalls: readonly BareCall[] = [
  { name: 'isolated-vm alone, plain, no timeout', transform: 'plain function', timeoutMs: 0 },
  { name: 'isolated-vm alone, plain, timeout armed', transform: 'plain function', timeoutMs: 1000 },
  { name: 'isolated-vm alone, async, timeout armed', transform: 'async function', timeoutMs: 1000 },
];

/** Which of them a transform in the runner, whose timeout is always armed, is held against. */
export const bareCallOf = (transform: string): BareCall | undefined =>
  bareCalls.find((call) => call.transform === transform && call.timeoutMs > 0);

/**
 * What a transform costs where there is nothing but isolated-vm's `applySync` around it, on the core on which the
 * runner is: the least that a runner could take.
 * @returns microseconds of CPU per call
 */
export async function measureBareCalls(cores: Cores, { transform, timeoutMs }: BareCall): Promise<number> {
  const command = [process.execPath, '--no-node-snapshot', '--conditions=source', program];
  const code = transforms[transform] ?? '';
  return Number(await runCommand(cores.measured([...command, code, request, String(timeoutMs)])));
}
