import { hash, randomUUID } from 'node:crypto';

import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { serveCallStream } from '@glovebox/platform/calls/server';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import { AppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { startGrpcServer } from '@glovebox/platform/grpc/server';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import * as runner from '@glovebox/protos/runner/v1/runner';
import * as vault from '@glovebox/protos/vault/v1/vault';

import { cardNumber, tokenId } from './own-tenant.ts';

/** A vault and a runner within this process, at one address. */
export interface OwnPeers extends AsyncDisposable {
  readonly address: string;
  /** Who has it may call them. */
  readonly token: string;
}

const caller = 'proxy-gateway';
const vaultExchange = withFrames(
  vault.VaultServiceService.exchange,
  vault.ExchangeRequest,
  vault.ExchangeResponse,
);
const runnerExchange = withFrames(
  runner.RunnerServiceService.exchange,
  runner.ExchangeRequest,
  runner.ExchangeResponse,
);

/** Starts them on a free port of 127.0.0.1. They give the same answers to all calls of a kind, and do nothing. */
export async function startOwnPeers(): Promise<OwnPeers> {
  const token = randomUUID();
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      { definition: { exchange: vaultExchange }, implementation: { exchange: serveVault } },
      { definition: { exchange: runnerExchange }, implementation: { exchange: serveRunner } },
    ],
    peers: { [caller]: hash('sha256', token) },
    allow: { [vaultExchange.path]: [caller], [runnerExchange.path]: [caller] },
    shutdownTimeoutMs: 0,
    logger: createLogger({ service: caller, level: 'silent' }),
  });
  server.setServing(true);
  return {
    address: `127.0.0.1:${server.port}`,
    token,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const serveVault: vault.VaultServiceServer['exchange'] = (stream) => {
  serveCallStream<vault.VaultCall, vault.VaultReply, vault.ExchangeRequest, vault.ExchangeResponse>({
    stream,
    callsOf: ({ calls }) => calls,
    cancelledOf: ({ cancelled }) => cancelled,
    frameOf: (replies) => ({ replies }),
    errorReply: (id, value) => ({ id, outcome: { $case: 'error', value }, replayed: false }),
    sizeOf: wireSize,
    handleFrame: (calls) => {
      for (const inbound of calls) {
        const { id, operation } = inbound.call;
        inbound.reply({ id, outcome: ofVault(operation), replayed: false });
      }
    },
  });
};

const serveRunner: runner.RunnerServiceServer['exchange'] = (stream) => {
  serveCallStream<runner.RunnerCall, runner.RunnerReply, runner.ExchangeRequest, runner.ExchangeResponse>({
    stream,
    callsOf: ({ calls }) => calls,
    cancelledOf: ({ cancelled }) => cancelled,
    frameOf: (replies) => ({ replies }),
    errorReply: (id, value) => ({ id, outcome: { $case: 'error', value }, note: undefined }),
    sizeOf: wireSize,
    handleFrame: (calls) => {
      for (const inbound of calls) {
        const { id, operation } = inbound.call;
        inbound.reply({ id, outcome: ofRunner(operation), note: undefined });
      }
    },
  });
};

const token = Buffer.from(JSON.stringify({ id: tokenId, type: 'token', data: cardNumber }));
const transformed = Buffer.from(JSON.stringify({ body: { card: cardNumber }, headers: { 'x-order': '1' } }));
const reacted = Buffer.from(JSON.stringify({ raw: { ok: true } }));

function ofVault(operation: vault.VaultCall['operation']): vault.VaultReply['outcome'] {
  switch (operation?.$case) {
    case 'detokenize': {
      const values = operation.value.expressions.map(() => JSON.stringify(cardNumber));
      return {
        $case: 'detokenized',
        value: { values, readable: values.map(() => true), unselectedPaths: [] },
      };
    }
    case 'createToken':
    case 'getToken':
      return { $case: 'token', value: { id: tokenId, json: token } };
    case 'tokenize':
      return { $case: 'tokenized', value: { json: Buffer.from(JSON.stringify({ card: tokenId })) } };
    default:
      return { $case: 'error', value: notMeant() };
  }
}

function ofRunner(operation: runner.RunnerCall['operation']): runner.RunnerReply['outcome'] {
  switch (operation?.$case) {
    case 'runTransform':
      return { $case: 'returned', value: { result: transformed } };
    case 'runReactor':
      return { $case: 'answered', value: { json: reacted, unselectedPaths: [], leaks: false } };
    default:
      return { $case: 'error', value: notMeant() };
  }
}

const notMeant = () => toWireError(new AppError('unavailable', 'Nothing of the warm-up asks for this.'));
