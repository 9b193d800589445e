import { createHash } from 'node:crypto';

import { type InboundCall, serveCallStream } from '@glovebox/platform/calls/server';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { startGrpcServer } from '@glovebox/platform/grpc/server';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { type RunnerCall, type RunnerReply, RunnerServiceService } from '@glovebox/protos/runner/v1/runner';
import { type VaultCall, type VaultReply, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

export const gatewayToken = 'token-of-the-gateway';
const logger = createLogger({ service: 'test', level: 'silent' });

type AnyCall = VaultCall | RunnerCall;
type AnyReply = VaultReply | RunnerReply;

/** A vault or runner behind real call streams, whose answers a test writes. */
interface Peer<Call extends AnyCall, Reply extends AnyReply> extends AsyncDisposable {
  readonly address: string;
  /** All that have arrived. */
  readonly calls: InboundCall<Call, Reply>[];
  /** What it throws is answered as an error. */
  answer: (call: InboundCall<Call, Reply>) => Promise<Reply['outcome']> | Reply['outcome'];
  /** Breaks every stream; the gateway may open others. */
  cut(): void;
}

async function startPeer<Call extends AnyCall, Reply extends AnyReply>(
  { exchange }: typeof VaultServiceService | typeof RunnerServiceService,
  replyOf: (id: number, outcome: Reply['outcome']) => Reply,
): Promise<Peer<Call, Reply>> {
  const serve = serveCallStream<Call, Reply, { calls: Call[]; cancelled: number[] }, { replies: Reply[] }>;
  type Stream = Parameters<typeof serve>[0]['stream'];
  const streams = new Set<Stream>();
  const answer = async (inbound: InboundCall<Call, Reply>) => {
    peer.calls.push(inbound);
    const failed = (error: unknown) => ({ $case: 'error' as const, value: toWireError(error) });
    const outcome = await Promise.try(peer.answer, inbound).catch(failed);
    inbound.reply(replyOf(inbound.call.id, outcome));
  };
  const serveStream = (stream: Stream) => {
    streams.add(stream);
    stream.on('close', () => streams.delete(stream));
    serve({
      stream,
      callsOf: ({ calls }) => calls,
      cancelledOf: ({ cancelled }) => cancelled,
      frameOf: (replies) => ({ replies }),
      errorReply: (id, value) => replyOf(id, { $case: 'error', value }),
      sizeOf: () => 100,
      handleFrame: async (calls) => void (await Promise.all(calls.map(answer))),
    });
  };
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [{ definition: { exchange }, implementation: { exchange: serveStream } }],
    peers: { 'proxy-gateway': createHash('sha256').update(gatewayToken).digest('hex') },
    allow: { [exchange.path]: ['proxy-gateway'] },
    shutdownTimeoutMs: 50,
    logger,
  });
  server.setServing(true);
  const peer: Peer<Call, Reply> = {
    address: `127.0.0.1:${server.port}`,
    calls: [],
    answer: () => undefined,
    cut: () => {
      for (const stream of streams) stream.emit('error', { code: 14, details: 'cut' });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return peer;
}

export type FakeVault = Peer<VaultCall, VaultReply>;
export type FakeRunner = Peer<RunnerCall, RunnerReply>;

export const startVault = (): Promise<FakeVault> =>
  startPeer(VaultServiceService, (id, outcome) => ({ id, outcome, replayed: false }));

export const startRunner = (): Promise<FakeRunner> =>
  startPeer(RunnerServiceService, (id, outcome) => ({ id, outcome }));
