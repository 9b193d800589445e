import { generateKeyPairSync, sign } from 'node:crypto';

import { checkpointLine } from '@glovebox/platform/signed-log/chain';
import { fingerprintOf, jwkOf } from '@glovebox/platform/signed-log/public-key';

import type { LogEntry } from '../../src/audit/log-entry.ts';
import type { AuditSource, ExportSigner, UsageSource } from '../../src/audit/vault-sources.ts';
import type { InvocationLogs } from '../../src/people/invocation-logs.ts';
import { FakeTokens } from './fake-tokens.ts';

/** Were it ever markup, it would run, and change the title. */
export const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** No auditor may see any of these. */
export const plainValues = {
  configuration: 'secret-of-the-configuration',
  masked: 'what the mask leaves',
  token: 'the plain value of the token',
  log: 'what the code has logged of a token',
};

export const tokenId = 'a/token?of=somebody';
export const tokens = new FakeTokens([
  {
    id: tokenId,
    container: '/pci/high/',
    masked: plainValues.masked,
    plain: JSON.stringify(plainValues.token),
    metadata: { note: markup },
  },
  { id: 'another', container: '/pii/', masked: undefined, plain: '1' },
]);

const used: LogEntry = {
  source: 'vault',
  at: Date.now() * 1000,
  id: 7,
  actorId: '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52',
  actorType: 'application',
  entityType: 'token',
  entityId: tokenId,
  operation: 'use',
  outcome: 'allowed',
  reason: undefined,
  purpose: 'proxy',
  purposeId: '7d9f8a52-0000-4000-8000-000000000000',
  rule: 1,
  destination: 'api.stripe.example:443',
  traceId: 'trace-of-the-use',
  clientAddress: undefined,
};
const elsewhere = (
  id: number,
  destination: string,
  outcome: 'allowed' | 'denied',
  count: number,
): LogEntry => ({
  ...used,
  id,
  actorId: undefined,
  actorType: 'system',
  entityType: 'egress',
  entityId: '7d9f8a52-0000-4000-8000-000000000000',
  operation: 'egress',
  outcome,
  reason: 'egress_policy',
  destination,
  count,
});
const strange: LogEntry = {
  ...used,
  id: 4,
  operation: markup,
  entityType: 'session',
  entityId: markup,
  outcome: 'denied',
  reason: markup,
  purpose: markup,
  purposeId: `${markup}!`,
  destination: markup,
  traceId: markup,
  clientAddress: markup,
};
/** By this actor there are very many entries. */
export const busyActor = '5a3f6f3c-9d52-4c70-a2a8-0c7f8b0a7c35';
const busyEntries = 100_000;

function* busy(after: number, limit: number): Generator<LogEntry> {
  for (let id = Math.min(after, busyEntries + 1) - 1; id >= 1 && limit > 0; id -= 1, limit -= 1) {
    yield { ...used, id, at: id, actorId: busyActor, entityId: `entry ${id}` };
  }
}

const entriesOf = ({ entityId, entityType }: Parameters<AuditSource['list']>[0]) =>
  [
    used,
    elsewhere(6, 'api.other.example:443', 'allowed', 40),
    elsewhere(5, 'evil.example:443', 'denied', 2),
    strange,
  ]
    .filter((entry) => entityId === undefined || entityId === entry.entityId)
    .filter((entry) => entityType === undefined || entityType === entry.entityType);

/** In place of the vault's log. */
const audit: AuditSource = {
  list: async (filter, after, limit) =>
    filter.actorId === busyActor
      ? [...busy(after.at > busyEntries ? busyEntries + 1 : after.id, limit)]
      : entriesOf(filter)
          .filter(({ at, id }) => at < after.at || (at === after.at && id < after.id))
          .slice(0, limit),
  count: async (filter) => (filter.actorId === busyActor ? busyEntries : entriesOf(filter).length),
};

/** In place of the vault's counts. */
const usage: UsageSource = {
  usageOf: async () => ({ types: [], months: [] }),
  operationsOf: async () => [],
  trafficOf: async (_tenantId, stepSeconds, from) =>
    [1, 2, 5].map((step) => ({
      at: new Date(from.getTime() + step * stepSeconds * 1000),
      requests: 100 * step,
      errors: step,
      refused: 1,
      killed: 0,
      leaks: 2,
      durations: [0, 0, 0, 90 * step, 0, 0, 0, 10 * step],
    })),
  keysOf: async () => ({
    dataKeys: [
      { version: 2, createdAt: new Date(), seals: 700_000_000 },
      { version: 1, createdAt: new Date(0), seals: undefined },
    ],
    indexKeys: [{ version: 1, createdAt: new Date(0), seals: undefined }],
    mostSeals: 2 ** 31,
    dataRotation: 2,
    indexRotation: { version: 2, phase: 'writing', remade: 12 },
  }),
};

const { privateKey } = generateKeyPairSync('ed25519');
const jwk = jwkOf(privateKey);
const keyId = fingerprintOf(jwk);
/** In place of the vault, with a key of its own. */
const exportSigner: ExportSigner = {
  checkpoint: async ({ previous, exportId, tenantId, ...state }) =>
    checkpointLine(
      previous,
      {
        type: 'checkpoint',
        ...state,
        export_id: exportId,
        tenant_id: tenantId,
        key_id: keyId,
        public_key: jwk.x,
      },
      (message) => sign(null, message, privateKey),
    ),
  publicKeys: async () => [{ fingerprint: keyId, publicKey: jwk.x, createdAt: new Date(0) }],
};

/** In place of the runner. */
const invocationLogs: InvocationLogs = {
  read: async () =>
    JSON.stringify([
      {
        id: '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52',
        correlation_id: markup,
        started_at: new Date(0).toISOString(),
        duration_ms: 1,
        outcome: 'threw',
        side: 'request',
        error: { name: 'TypeError', message: markup, stack: [markup] },
        log: [{ time: new Date(0).toISOString(), level: 'info', text: `${plainValues.log} ${markup}` }],
      },
    ]),
};

export const sources = { tokens, audit, usage, exportSigner, invocationLogs };
