import { createHash } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { startGrpcServer } from '@glovebox/platform/grpc/server';
import { unary } from '@glovebox/platform/grpc/unary';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import {
  type OpenRequest,
  type ReportEgressRequest,
  type SealRequest,
  type SealedPlace,
  VaultServiceService as methods,
} from '@glovebox/protos/vault/v1/vault';

/** Stands for the vault where the runner has it seal logs: binds to the place like it, and keeps nothing secret. */
export interface SealingVault extends AsyncDisposable {
  readonly address: string;
  /** While it is set nothing is sealed. */
  failure: AppError | undefined;
  /** While it is set nothing is opened. */
  openFailure: AppError | undefined;
  /** How often that was so. */
  openRefused: number;
  /** What was reported of egress policies. */
  readonly violations: ReportEgressRequest[];
  /** Places that something was sealed for. */
  readonly places: SealedPlace[];
}

/** @param token of the runner */
export async function startSealingVault(token: string): Promise<SealingVault> {
  const places: SealedPlace[] = [];
  const prefixOf = (place: SealedPlace | undefined) => Buffer.from(JSON.stringify(place));
  const openAt = (place: SealedPlace | undefined, sealed: Buffer) => {
    const prefix = prefixOf(place);
    if (sealed.subarray(0, prefix.length).equals(prefix)) return sealed.subarray(prefix.length);
    throw new AppError('integrity_violation', 'Stored data does not authenticate, so it is not used.');
  };
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      {
        definition: methods,
        implementation: {
          exchange: () => undefined,
          seal: unary(async ({ items }: SealRequest) => {
            if (vault.failure !== undefined) throw vault.failure;
            for (const { place } of items) if (place !== undefined) places.push(place);
            return {
              sealed: items.map(({ place, plaintext }) => Buffer.concat([prefixOf(place), plaintext])),
            };
          }),
          reportEgress: unary(async (request: ReportEgressRequest) => {
            vault.violations.push(request);
            return {};
          }),
          open: unary(async ({ items }: OpenRequest) => {
            if (vault.openFailure !== undefined) {
              vault.openRefused += 1;
              throw vault.openFailure;
            }
            return { plaintexts: items.map(({ place, sealed }) => openAt(place, sealed)) };
          }),
        },
      },
    ],
    peers: { 'reactor-runner': createHash('sha256').update(token).digest('hex') },
    allow: Object.fromEntries(
      [methods.seal, methods.open, methods.reportEgress].map(({ path }) => [path, ['reactor-runner']]),
    ),
    shutdownTimeoutMs: 1000,
    logger: createLogger({ service: 'vault', level: 'silent' }),
  });
  const vault: SealingVault = {
    address: `127.0.0.1:${server.port}`,
    failure: undefined,
    openFailure: undefined,
    openRefused: 0,
    violations: [],
    places,
    [Symbol.asyncDispose]: () => server.close(),
  };
  return vault;
}
