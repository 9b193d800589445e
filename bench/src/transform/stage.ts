import { join } from 'node:path';

import { apiOf } from '../../../test/harness/api.ts';
import { type System, startSystem } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import { withChildren } from '../measure/cpu.ts';
import type { Contender } from '../measure/rounds.ts';
import { workerdTransform } from '../peers/workerd.ts';
import { gatewayContender, peerContender, startDestination, startListening } from '../proxy/contenders.ts';
import { startGateway } from '../proxy/gateways.ts';
import { createGatewayRequests, requireSuccess } from '../proxy/requests.ts';

/** Everything that runs during the comparison. Disposing it ends all of it. */
export interface Stage extends AsyncDisposable {
  readonly system: System;
  readonly plain: Contender;
  readonly transformed: Contender;
  readonly workerd: Contender | undefined;
  /** Where a proxy of this system may send to. */
  readonly destinationPort: number;
}

/** The same change of a field as workerd makes. */
const code = `module.exports = async function (req) {
  const { body, headers } = req.args;
  return { body: { ...body, reference: 'changed' }, headers };
};`;

export async function setStage(
  scratch: string,
  cores: Cores,
  has: { readonly nginx: boolean; readonly workerd: boolean },
): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startSystem());
  const { port: destinationPort } = stack.use(await startDestination(scratch, has.nginx));
  const requests = await createGatewayRequests(system, destinationPort);
  const proxy = await apiOf(system).proxy(`http://localhost:${destinationPort}`, {
    request_transform: { code },
  });
  const gateway = stack.use(await startGateway(system, cores, 'gateway'));
  const oneToken = requests.oneToken(gateway.port);
  const target = { ...oneToken, headers: { ...oneToken.headers, 'SVC-PROXY-KEY': String(proxy.key) } };
  const plain = gatewayContender('gateway, no token', gateway, requests.plain(gateway.port), system);
  const inner = gatewayContender('gateway, 1 token + transform', gateway, target, system);
  const runner = system.dev.processes.find(({ name }) => name === 'reactor-runner')?.pid ?? 0;
  const processes = { ...inner.processes, runner: () => withChildren(runner) };
  const workerd = has.workerd
    ? stack.use(
        await startListening(scratch, 'workerd', (port) =>
          cores.measured(workerdTransform(join(scratch, 'workerd'), port, destinationPort)),
        ),
      )
    : undefined;
  const contenders = {
    plain,
    transformed: { ...inner, processes },
    workerd: workerd && peerContender('workerd, transform', workerd),
  };
  for (const contender of Object.values(contenders)) {
    if (contender !== undefined) await requireSuccess(contender.name, contender.target);
  }
  const owned = stack.move();
  return { ...contenders, system, destinationPort, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
