import { startSystem } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import type { Contender, Measured } from '../measure/rounds.ts';
import { nginxVersion } from '../peers/nginx.ts';
import { gatewayContender, startDestination } from './contenders.ts';
import { startGateway } from './gateways.ts';
import { type GoalResult, judge } from './goals.ts';
import { createGatewayRequests, requireSuccess } from './requests.ts';

/** Of what is as fast: two runs of the same code differ by as much. */
const noise = 0.97;

export interface Compared {
  readonly all: readonly Measured[];
  readonly goals: readonly GoalResult[];
}

/**
 * Measures this checkout's gateway and another one's in one interleaved run, before the same vault and destination: whether a
 * change makes requests slower.
 *
 * @param folder of the other checkout, with its modules installed
 */
export async function compareCheckouts(
  folder: string,
  scratch: string,
  cores: Cores,
  measure: (contenders: readonly Contender[]) => Promise<readonly Measured[]>,
): Promise<Compared> {
  await using system = await startSystem();
  await using destination = await startDestination(scratch, nginxVersion() !== undefined);
  await using ours = await startGateway(system, cores, 'gateway');
  await using other = await startGateway(system, cores, 'gateway-other', {}, folder);
  const requests = await createGatewayRequests(system, destination.port);
  const contenders = [
    gatewayContender('this checkout, no token', ours, requests.plain(ours.port), system),
    gatewayContender('the other, no token', other, requests.plain(other.port), system),
    gatewayContender('this checkout, 1 token', ours, requests.oneToken(ours.port), system),
    gatewayContender('the other, 1 token', other, requests.oneToken(other.port), system),
  ];
  for (const { name, target } of contenders) await requireSuccess(name, target);
  const all = await measure(contenders);
  const [plain, otherPlain, token, otherToken] = all as [Measured, Measured, Measured, Measured];
  const goals = [
    judge('--', 'this checkout / the other, no token', noise, plain, otherPlain),
    judge('--', 'this checkout / the other, 1 token', noise, token, otherToken),
  ];
  return { all, goals };
}
