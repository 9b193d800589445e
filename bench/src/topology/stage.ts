import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Program } from '@glovebox/local/debian-program';
import { readRunning } from '@glovebox/local/run-journal';

import { startHaproxy } from '../../../test/harness/haproxy.ts';
import { startSystem } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import type { Contender } from '../measure/rounds.ts';
import { startDestination } from '../proxy/contenders.ts';
import { type GatewayProcess, startGateway } from '../proxy/gateways.ts';
import { createGatewayRequests, requireSuccess } from '../proxy/requests.ts';

const most = 3;

/** Everything that runs during the comparison. Disposing it ends all of it. */
export interface Stage extends AsyncDisposable {
  /** One gateway, two and three of the same, each number behind a balancer of its own. */
  readonly contenders: readonly Contender[];
}

/** Starts the system, gateways and balancers, and tries each number of gateways once. */
export async function setStage(
  scratch: string,
  cores: Cores,
  haproxy: Program,
  hasNginx: boolean,
): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startSystem());
  const ports = readRunning(system.stateDir)?.system?.ports;
  if (ports === undefined) throw new Error('the system does not run');
  const host = '127.0.0.1';
  const control = { host, port: ports['control-api'], metricsPort: ports['control-api-metrics'] };
  const destination = stack.use(await startDestination(scratch, hasNginx));
  const requests = await createGatewayRequests(system, destination.port);
  const gateways: GatewayProcess[] = [];
  const contenders: Contender[] = [];
  for (let count = 1; count <= most; count += 1) {
    gateways.push(stack.use(await startGateway(system, cores, `gateway-${count}`)));
    const folder = join(scratch, `haproxy-${count}`);
    mkdirSync(folder);
    const balanced = gateways.map(({ port, metricsPort }) => ({ host, port, metricsPort }));
    const backends = { 'control-api': [control], 'proxy-gateway': balanced };
    // Seldom, since what its questions cost would be counted.
    const balancer = stack.use(await startHaproxy(haproxy, { folder, backends, checkMs: 2000 }));
    const pids = gateways.map(({ pid }) => pid);
    const contender = {
      name: `${count} gateway${count === 1 ? '' : 's'}`,
      target: requests.plain(balancer.port),
      // As many for each gateway: what it does for one request depends on how many come at once.
      width: count,
      processes: { itself: () => pids, balancer: () => [balancer.pid] },
    };
    await requireSuccess(contender.name, contender.target);
    contenders.push(contender);
  }
  const owned = stack.move();
  return { contenders, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
