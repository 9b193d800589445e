import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { startFixedOrigin } from '@glovebox/platform/http/fixed-origin';
import { portOf } from '@glovebox/platform/http/port-of';
import { type WholeRequest, repeatRequests } from '@glovebox/platform/http/repeated-requests';
import { Overload } from '@glovebox/platform/process/overload';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createHiddenMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import { OutlineWriter } from '@glovebox/published/outline-writer';
import { connectVault } from '@glovebox/vault-client/connect-vault';
import { Traffic } from '@glovebox/vault-client/traffic';

import type { GatewayConfig } from './config.ts';
import { createDependencies } from './create-dependencies.ts';
import { edgeOf } from './create-edge.ts';
import { createEgress } from './create-egress.ts';
import { createPublicServer } from './create-public-server.ts';
import { createRequestObserver } from './http/request-observer.ts';
import { eventHandlers } from './proxy/events/event-handlers.ts';
import { connectRunner } from './runner/connect-runner.ts';
import { type OwnPeers, startOwnPeers } from './warm-up/own-peers.ts';
import { ownTenant } from './warm-up/own-tenant.ts';

/** So many that V8 has compiled what most of them take (ADR 90). */
const enough = 8000;
/** Of one gateway, on connections of their own, so that these begin and end too. */
const atATime = 500;
const connections = 16;
/** What V8 compiles for the objects of one gateway alone would not fit those of the real one. */
const gateways = 2;

/**
 * Serves itself requests of every path with all that serves those of others, except what leaves a trace: the tenant, the
 * vault, the runner and the destination are within this process, and nothing is logged, counted or kept.
 */
export async function warmUpGateway(
  config: GatewayConfig,
  signal: AbortSignal,
  count = enough,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const peers = stack.use(await startOwnPeers());
  const origin = stack.use(await startFixedOrigin(JSON.stringify({ id: 'ch_1', status: 'done' })));
  const own: OwnGateway[] = [];
  while (own.length < gateways) own.push(await startOwnGateway(stack, config, peers, origin.port, signal));
  for (let sent = 0; sent < count; sent += atATime) {
    const { port, requests } = own[(sent / atATime) % gateways]!;
    await repeatRequests({ port, requests, count: atATime, connections, signal });
  }
}

interface OwnGateway {
  readonly port: number;
  readonly requests: readonly WholeRequest[];
}

async function startOwnGateway(
  stack: AsyncDisposableStack,
  config: GatewayConfig,
  peers: OwnPeers,
  destinationPort: number,
  signal: AbortSignal,
): Promise<OwnGateway> {
  const destination = { write: () => undefined };
  const logger = createLogger({ service: 'proxy-gateway', level: config.logLevel, destination });
  const metrics = createHiddenMetrics();
  const token = new Secret(peers.token);
  const tls = { peer: 'token-vault', certificates: undefined };
  const channel = createGrpcChannel({ address: peers.address, token, tls });
  stack.defer(() => channel.close());
  const { vaultTimeoutMs: timeoutMs, maxCallsInFlight: maxOpenCalls } = config.limits;
  const vault = stack.use(connectVault({ channel, timeoutMs, maxOpenCalls, metrics }));
  const atPeers = { ...config, runnerAddress: peers.address, serviceToken: token };
  const runner = stack.use(connectRunner(atPeers, undefined, metrics));
  // The one destination is this machine.
  const settings = { egress: { ...config.egress, profile: 'development', denied: [] } } as const;
  const sealWatch = { requireUnsealed: () => undefined, onSealed: () => undefined };
  const egress = createEgress(settings, [], metrics, { openClientKey: noKey, sealWatch });
  stack.use(egress.dispatchers);
  const traffic = stack.use(new Traffic({ report: nothing, onLost: () => undefined }));
  const outlines = stack.use(new OutlineWriter({ add: nothing }, metrics));
  const counter = { note: () => undefined, noteCompared: () => undefined, noteSkipped: () => undefined };
  const { published, requests } = ownTenant(destinationPort);
  const sink = { emit: () => undefined };
  const recent = { noteInvocation: () => undefined };
  const handlers = eventHandlers({
    published,
    logger,
    noteLeak: () => undefined,
    counter,
    recent,
    sink,
    outlines,
  });
  const server = createPublicServer(config, {
    dependencies: createDependencies(config, {
      published,
      claims: { take: noKey },
      vault: vault.client,
      runner: runner.client,
      egress,
      handlers,
      counter,
      noteViolation: () => undefined,
    }),
    observer: createRequestObserver(logger, metrics, traffic),
    edge: edgeOf(config, { rates: undefined, keyUses: { note: () => undefined } }),
    overload: stack.use(new Overload(metrics, () => ({ delayMs: 0, memory: 0 }))),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => server.close().closeAllConnections());
  while (!vault.isReady() || !runner.isReady()) await pause(5, undefined, { signal });
  return { port: portOf(server), requests };
}

const nothing = (): Promise<void> => Promise.resolve();
const noKey = (): Promise<never> => Promise.reject(new Error('no request of the warm-up has a key'));
