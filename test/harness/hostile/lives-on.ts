import { expect } from 'chai';

import type { System } from '../system.ts';

const services: ReadonlySet<string> = new Set([
  'control-api',
  'proxy-gateway',
  'reactor-runner',
  'token-vault',
]);

/** Remembers the processes of the four services. */
export function livesOn(system: System): { expect(): void } {
  const pids = () =>
    Object.fromEntries(
      system.dev.processes.filter(({ name }) => services.has(name)).map(({ name, pid }) => [name, pid]),
    );
  const [before, said] = [pids(), system.output.length];
  return {
    /** They are the same, and none was started again meanwhile. */
    expect() {
      expect(pids()).to.deep.equal(before);
      expect(system.output.slice(said)).to.not.match(/ ended \(/);
    },
  };
}
