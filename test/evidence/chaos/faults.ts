import { setTimeout as pause } from 'node:timers/promises';

import type { System } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';
import type { Random } from '../report/random.ts';
import type { Links } from './links.ts';

/** Something that goes wrong for a while. */
export interface Fault {
  readonly name: string;
  /** The data plane has to notice nothing of it. */
  readonly isOfControlPlane: boolean;
  /** Resolves when it is over; from then on everything has to come back. */
  strike(): Promise<void>;
}

/** How long a process is stopped, and a link cut or slow. */
const heldMs = 2500;
const slowMs = 150;

/** Each process killed and stopped, each link cut, silent and slow, and a third of all processes killed at once. */
export function allFaults(system: System, links: Links, random: Random): Fault[] {
  const names = [...new Set(system.dev.processes.map(({ name }) => name))];
  return [
    ...names.flatMap((name) => [killing(system, [name]), stopping(system, name)]),
    ...links.names.flatMap((name) => faultsOfLink(links, name)),
    killing(system, random.sample(names, Math.ceil(names.length / 3))),
  ];
}

export function killing(system: System, names: readonly string[]): Fault {
  return {
    name: names.length === 1 ? `${names.join()}: kill -9` : `at once: ${names.join(', ')}: kill -9`,
    isOfControlPlane: names.every((name) => name === 'control-api'),
    async strike() {
      const killed = names.map((name) => pidOf(system, name));
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      await until('the killed processes are gone', () => !killed.some(isAlive));
    },
  };
}

export function stopping(system: System, name: string): Fault {
  return {
    name: `${name}: SIGSTOP for ${heldMs / 1000} s`,
    isOfControlPlane: name === 'control-api',
    async strike() {
      const pid = pidOf(system, name);
      process.kill(pid, 'SIGSTOP');
      await pause(heldMs);
      if (isAlive(pid)) process.kill(pid, 'SIGCONT');
    },
  };
}

function faultsOfLink(links: Links, name: string): Fault[] {
  const during = (what: string, begin: () => void): Fault => ({
    name: `link to ${name}: ${what}`,
    isOfControlPlane: false,
    async strike() {
      begin();
      await pause(heldMs);
      links.to(name).restore();
    },
  });
  const link = () => links.to(name);
  return [
    during(`cut for ${heldMs / 1000} s`, () => link().refuse()),
    during(`silent for ${heldMs / 1000} s`, () => link().fallSilent()),
    during(`${slowMs} ms slower for ${heldMs / 1000} s, then cut once`, () => link().slow(slowMs)),
  ];
}

function pidOf(system: System, name: string): number {
  const pid = system.dev.processes.find((one) => one.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
