import { type System, startSystem } from '../../../test/harness/system.ts';
import type { Cores } from '../measure/cores.ts';
import type { LoadTarget } from '../measure/load.ts';
import type { Contender } from '../measure/rounds.ts';
import {
  gatewayContender,
  peerContender,
  startDestination,
  startHttpProxy,
  startNginxProxy,
  startUndiciProxy,
} from './contenders.ts';
import { type GatewayProcess, startGateway } from './gateways.ts';
import { createGatewayRequests, requireSuccess } from './requests.ts';
import { type TraceReceiver, startTraceReceiver } from './trace-receiver.ts';

/** Everything that runs during the comparison. Disposing it ends all of it. */
export interface Stage extends AsyncDisposable {
  readonly plain: Contender;
  readonly oneToken: Contender;
  readonly traced: Contender;
  /** The least that a proxy of Node's own parts can do. */
  readonly bare: Contender;
  readonly httpProxy: Contender;
  readonly nginx: Contender | undefined;
  readonly receiver: TraceReceiver;
  /** One more gateway, which has served nothing yet, and a request to a destination that reads whole bodies first. */
  freshGateway(): Promise<{ gateway: GatewayProcess; target: LoadTarget }>;
}

/** Starts the system, the peers and their destination, and tries each once. */
export async function setStage(scratch: string, cores: Cores, hasNginx: boolean): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const system: System = stack.use(await startSystem());
  const receiver = stack.use(await startTraceReceiver());
  const { port } = stack.use(await startDestination(scratch, hasNginx));
  const requests = await createGatewayRequests(system, port);
  const gateway = stack.use(await startGateway(system, cores, 'gateway'));
  const traced = stack.use(await startGateway(system, cores, 'gateway-traced', tracingOnePercent(receiver)));
  const bare = stack.use(await startUndiciProxy(scratch, cores, port));
  const httpProxy = stack.use(await startHttpProxy(scratch, cores, port));
  const nginx = hasNginx ? stack.use(await startNginxProxy(scratch, cores, port)) : undefined;
  const contenders = {
    plain: gatewayContender('gateway, no token', gateway, requests.plain(gateway.port), system),
    oneToken: gatewayContender('gateway, 1 token', gateway, requests.oneToken(gateway.port), system),
    traced: gatewayContender('gateway, no token, 1 % traced', traced, requests.plain(traced.port), system),
    bare: peerContender('node:http + undici', bare),
    httpProxy: peerContender('http-proxy-3', httpProxy),
    nginx: nginx && peerContender('nginx', nginx),
  };
  for (const contender of Object.values(contenders)) {
    if (contender !== undefined) await requireSuccess(contender.name, contender.target);
  }
  const owned = stack.move();
  return {
    ...contenders,
    receiver,
    async freshGateway() {
      const reader = owned.use(await startDestination(scratch, false));
      const requests = await createGatewayRequests(system, reader.port);
      const gateway = owned.use(await startGateway(system, cores, 'gateway-fresh'));
      return { gateway, target: requests.plain(gateway.port) };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function tracingOnePercent({ url }: TraceReceiver): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
}
