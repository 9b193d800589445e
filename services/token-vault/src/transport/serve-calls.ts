import { fileURLToPath } from 'node:url';

import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { type InboundCall, serveCallStream } from '@glovebox/platform/calls/server';
import { wireSize } from '@glovebox/platform/calls/wire-size';
import type { Certificates } from '@glovebox/platform/grpc/certificates';
import type { PeerTokens } from '@glovebox/platform/grpc/peer-tokens';
import { type GrpcServer, startGrpcServer } from '@glovebox/platform/grpc/server';
import { type UnaryContext, unary } from '@glovebox/platform/grpc/unary';
import { SpanKind, contextOf, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';
import {
  type VaultCall,
  type VaultReply,
  type VaultServiceServer,
  ExchangeRequest,
  ExchangeResponse,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { AuditSigner } from '../audit/audit-signer.ts';
import type { VaultContext } from '../context/vault-context.ts';
import type { Sealer } from '../crypto/sealer.ts';
import { eraseTenant } from '../operations/erasure/erase-tenant.ts';
import { listContainers } from '../operations/people/list-containers.ts';
import { listTokensForPerson } from '../operations/people/list-tokens-for-person.ts';
import { revealToken } from '../operations/people/reveal-token.ts';
import { createAuditLister } from '../operations/reports/list-audit.ts';
import { listTraffic } from '../operations/reports/list-traffic.ts';
import { createOperationsReader, createUsageReader } from '../operations/reports/read-counts.ts';
import { readEncryptionKeys } from '../operations/reports/read-encryption-keys.ts';
import { recordEgress } from '../operations/reports/record-egress.ts';
import { recordLeak } from '../operations/reports/record-leak.ts';
import { recordTraffic } from '../operations/reports/record-traffic.ts';
import { listAuditKeys, signExport } from '../operations/reports/sign-export.ts';
import { reseal } from '../operations/sealing/reseal.ts';
import { open, seal, standIn } from '../operations/sealing/seal-and-open.ts';
import { allowTable } from './allow-table.ts';
import { serveFrame } from './serve-frame.ts';

const definition = {
  ...VaultServiceService,
  exchange: withFrames(VaultServiceService.exchange, ExchangeRequest, ExchangeResponse),
};
const protoDir = fileURLToPath(new URL('../../../../protos', import.meta.url));

interface CallSettings {
  readonly grpc: { readonly host: string; readonly port: number; readonly reflection: boolean };
  readonly peers: PeerTokens;
  readonly shutdownTimeoutMs: number;
}

/** What works with keys. */
interface Keyed {
  readonly sealer: Sealer;
  readonly signer: AuditSigner;
}

/** The server refuses calls until it is set to serving. @param certificates undefined: plain connections */
export function serveCalls(
  { grpc, peers, shutdownTimeoutMs }: CallSettings,
  context: VaultContext,
  keyed: Keyed,
  certificates: Certificates | undefined,
): Promise<GrpcServer> {
  return startGrpcServer({
    host: grpc.host,
    port: grpc.port,
    services: [{ definition, implementation: methodsOf(context, keyed) }],
    certificates,
    peers,
    allow: allowTable,
    ...(grpc.reflection ? { reflection: { protoDir, protoFiles: ['vault/v1/vault.proto'] } } : {}),
    shutdownTimeoutMs,
    logger: context.logger,
  });
}

function methodsOf(context: VaultContext, { sealer, signer }: Keyed): VaultServiceServer {
  const listAudit = createAuditLister(context);
  const readUsage = createUsageReader(context);
  const readOperations = createOperationsReader(context);
  return {
    exchange: serveFrames((frame, peer) => serveFrame(context, frame, peer)),
    seal: unary((request, call) => traced('vault.seal', call, () => seal(sealer, request, call))),
    standIn: unary((request, call) =>
      traced('vault.standIn', call, () => standIn(context, sealer, request, call)),
    ),
    open: unary((request, call) => traced('vault.open', call, () => open(context, sealer, request, call))),
    listAudit: unary((request, call) => traced('vault.list_audit', call, () => listAudit(request))),
    signExport: unary((request, call) =>
      traced('vault.sign_export', call, () => signExport(signer, context.postgres.withoutTenant, request)),
    ),
    listAuditKeys: unary((_request, call) =>
      traced('vault.list_audit_keys', call, () => listAuditKeys(signer)),
    ),
    eraseTenant: unary((request, call) =>
      traced('vault.erase_tenant', call, () => eraseTenant(context, signer, request)),
    ),
    reportUsage: unary((request, call) => traced('vault.report_usage', call, () => readUsage(request))),
    reportOperations: unary((request, call) =>
      traced('vault.report_operations', call, () => readOperations(request)),
    ),
    reseal: unary((request, call) =>
      traced('vault.reseal', call, () => reseal(context, sealer, request, call)),
    ),
    // Not logged: every runner asks every second.
    getSealState: (_call, callback) => callback(null, { sealed: context.barrier.state !== 'open' }),
    reportEgress: unary((request, call) =>
      traced('vault.report_egress', call, () => recordEgress(context, request)),
    ),
    reportLeak: unary((request, call) =>
      traced('vault.report_leak', call, () => recordLeak(context, request)),
    ),
    listTokensForPerson: unary((request, call) =>
      traced('vault.list_tokens_for_person', call, () => listTokensForPerson(context, request, call)),
    ),
    listContainers: unary((request, call) =>
      traced('vault.list_containers', call, () => listContainers(context, request)),
    ),
    revealToken: unary((request, call) =>
      traced('vault.reveal_token', call, () => revealToken(context, request, call)),
    ),
    reportKeys: unary((request, call) =>
      traced('vault.report_keys', call, () => readEncryptionKeys(context, request)),
    ),
    reportTraffic: unary((request, call) =>
      traced('vault.report_traffic', call, () => recordTraffic(context, request)),
    ),
    listTraffic: unary((request, call) =>
      traced('vault.list_traffic', call, () => listTraffic(context, request)),
    ),
  };
}

type HandleFrame = (frame: readonly InboundCall<VaultCall, VaultReply>[], peer: string) => Promise<void>;

function serveFrames(handleFrame: HandleFrame): VaultServiceServer['exchange'] {
  return (stream) => {
    serveCallStream<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>({
      stream,
      callsOf: (request) => request.calls,
      cancelledOf: (request) => request.cancelled,
      frameOf: (replies) => ({ replies }),
      errorReply: (id, value) => ({ id, outcome: { $case: 'error', value }, replayed: false }),
      sizeOf: wireSize,
      handleFrame,
    });
  };
}

/** Continues the caller's trace in a unary call, if it is sampled. */
function traced<T>(
  name: string,
  { traceparent }: Pick<UnaryContext, 'traceparent'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = contextOf(traceparent);
  return isSampled(parent) ? withSpan(name, { kind: SpanKind.SERVER }, parent, work) : work();
}
