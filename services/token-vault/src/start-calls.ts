import { fileURLToPath } from 'node:url';

import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import type { Certificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcServer, startGrpcServer } from '@glovebox/platform/grpc/server';
import { unary } from '@glovebox/platform/grpc/unary';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import {
  ExchangeRequest,
  ExchangeResponse,
  type VaultServiceServer,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { VaultConfig } from './config.ts';
import type { Sealer } from './crypto/sealer.ts';
import { allowTable } from './rpc/allow-table.ts';
import { exchange } from './rpc/exchange.ts';
import { auditLister } from './rpc/list-audit.ts';
import { open } from './rpc/open.ts';
import { operationsReporter } from './rpc/report-operations.ts';
import { usageReporter } from './rpc/report-usage.ts';
import { seal } from './rpc/seal.ts';
import { serveExchange } from './rpc/serve-exchange.ts';
import { traced } from './rpc/traced.ts';
import type { VaultContext } from './vault-context.ts';

const definition = {
  ...VaultServiceService,
  exchange: withFrames(VaultServiceService.exchange, ExchangeRequest, ExchangeResponse),
};
const protoDir = fileURLToPath(new URL('../../../protos', import.meta.url));

interface Parts {
  readonly context: VaultContext;
  readonly sealer: Sealer;
  /** Undefined: calls are taken in plain. */
  readonly certificates: Certificates | undefined;
  readonly logger: Logger;
}

/** Listens for calls; none is taken before it serves. */
export function startCalls(
  { grpc, peers, shutdownTimeoutMs }: VaultConfig,
  { context, sealer, certificates, logger }: Parts,
): Promise<GrpcServer> {
  return startGrpcServer({
    host: grpc.host,
    port: grpc.port,
    services: [{ definition, implementation: methodsOf(context, sealer) }],
    certificates,
    peers,
    allow: allowTable,
    ...(grpc.reflection ? { reflection: { protoDir, protoFiles: ['vault/v1/vault.proto'] } } : {}),
    shutdownTimeoutMs,
    logger,
  });
}

function methodsOf(context: VaultContext, sealer: Sealer): VaultServiceServer {
  const listAudit = auditLister(context);
  const reportUsage = usageReporter(context);
  const reportOperations = operationsReporter(context);
  return {
    exchange: serveExchange((frame, peer) => exchange(context, frame, peer)),
    seal: unary((request, call) => traced('vault.seal', call, () => seal(sealer, request, call))),
    open: unary((request, call) => traced('vault.open', call, () => open(sealer, request, call))),
    listAudit: unary((request, call) => traced('vault.list_audit', call, () => listAudit(request))),
    reportUsage: unary((request, call) => traced('vault.report_usage', call, () => reportUsage(request))),
    reportOperations: unary((request, call) =>
      traced('vault.report_operations', call, () => reportOperations(request)),
    ),
  };
}
