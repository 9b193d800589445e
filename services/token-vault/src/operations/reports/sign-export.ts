import type { Queryable } from '@glovebox/platform/db/postgres';
import { validationError } from '@glovebox/platform/errors/app-error';
import { digestBytes } from '@glovebox/platform/signed-log/chain';
import type {
  ListAuditKeysResponse,
  SignExportRequest,
  SignExportResponse,
} from '@glovebox/protos/vault/v1/vault';

import type { AuditSigner } from '../../audit/audit-signer.ts';
import { lastSeal } from '../../store/audit-seals.ts';
import { isUuid } from '../../values/uuid.ts';

/**
 * Makes a checkpoint of an export (contract/audit-export.md#checkpoints). It names the last seal of the log, from which `audit
 * verify` goes on.
 */
export async function signExport(
  signer: AuditSigner,
  db: Queryable,
  { tenantId, exportId, line, entries, final, previous, from, to }: SignExportRequest,
): Promise<SignExportResponse> {
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['tenant_id'] = ['must be a UUID'];
  if (!isUuid(exportId)) problems['export_id'] = ['must be a UUID'];
  if (previous.length !== digestBytes) problems['previous'] = [`must be ${digestBytes} bytes`];
  if (Object.keys(problems).length > 0) throw validationError(problems);
  const { number, digest } = await lastSeal(db);
  const made = await signer.checkpoint(previous, {
    type: 'checkpoint',
    line,
    export_id: exportId,
    tenant_id: tenantId,
    from,
    to,
    entries,
    final,
    signed_at: new Date().toISOString(),
    ...(number === '0' ? {} : { vault_log_head: `${number}:${digest.toString('hex')}` }),
  });
  return { line: made.text, digest: made.digest };
}

export async function listAuditKeys(signer: AuditSigner): Promise<ListAuditKeysResponse> {
  const keys = await signer.publicKeys();
  return {
    keys: keys.map(({ x, fingerprint, createdAt }) => ({
      fingerprint,
      publicKey: x,
      createdMicros: createdAt.getTime() * 1000,
    })),
  };
}
