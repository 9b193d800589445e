import { type Command, UsageError, exitCodes, readArguments } from '@glovebox/platform/process/commands';

import { AuditSigner } from '../audit/audit-signer.ts';
import { type KnownSeal, type Mismatch, verifyAudit } from '../audit/verify-audit.ts';
import { type ClientKeyMismatch, verifyClientKeys } from '../audit/verify-client-keys.ts';
import { type VerifiedErasures, verifyErasures } from '../audit/verify-erasures.ts';
import { type RevisionMismatch, verifyRevisions } from '../audit/verify-revisions.ts';
import { unwrapAuditKey } from '../crypto/audit-key.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import { readAuditKey } from '../store/audit-keys.ts';
import { countOutside, lastSeal } from '../store/audit-seals.ts';
import type { OpenStore, Store } from './open-store.ts';
import { createProgress } from './progress.ts';

export const verifyAuditCommand = (openStore: OpenStore): Command => ({
  name: 'audit verify',
  takes: '[--head NUMBER:DIGEST] [--after NUMBER:DIGEST]',
  does:
    'looks for changed, removed or inserted rows of the audit log, and for tokens of which an earlier state was brought ' +
    'back, keys of clients that were removed or brought back, and tenants that only seem to be erased, and prints the first range, token, key or tenant that does not match; exit code 65 then. With --head, what an earlier call has printed as head must still be there. ' +
    'With --after, it goes on after a range up to which an earlier call has verified, as its progress says.',
  async run(args) {
    const { values } = readArguments(args, { head: { type: 'string' }, after: { type: 'string' } });
    const known = values.head === undefined ? undefined : readSealed('--head', values.head);
    const after = values.after === undefined ? undefined : readSealed('--after', values.after);
    await using store = await openStore();
    return await verify(store, known, after);
  },
});

async function verify(store: Store, known: KnownSeal | undefined, after: KnownSeal | undefined) {
  const key = await keyOf(store);
  const log = store.postgres.acrossTenants('audit verify');
  if (typeof key === 'string') return broken(key);
  if (key === undefined) {
    if ((known ?? after) !== undefined)
      return broken('the log was never sealed, or all of its seals were removed');
    const unsealed = await countOutside(log, '0');
    return { output: { intact: true, ranges: 0, unsealed_rows: unsealed.after } };
  }
  const tell = createProgress();
  const onProgress = (count: number, place: KnownSeal) =>
    tell(`${count} ranges verified, which need not be again: --after ${textOf(place)}`);
  const verified = await verifyAudit(log, key, { known, after, onProgress });
  const { ranges, purgedRanges, rows, unsealedRows, sealedUntil, last, mismatch } = verified;
  const erasures =
    mismatch === undefined
      ? await verifyErasures(
          log,
          await new AuditSigner(store.postgres.withoutTenant, store.provider).publicKeys(),
        )
      : undefined;
  const tenant = erasures?.mismatch;
  const revisions =
    erasures !== undefined && tenant === undefined
      ? await verifyRevisions(log, (tokens) => tell(`${tokens} tokens compared`))
      : undefined;
  const token = revisions?.mismatch;
  const clientKeys = revisions !== undefined && token === undefined ? await verifyClientKeys(log) : undefined;
  const clientKey = clientKeys?.mismatch;
  const output = {
    intact: [mismatch, tenant, token, clientKey].every((found) => found === undefined),
    ranges,
    purged_ranges: purgedRanges,
    rows,
    unsealed_rows: unsealedRows,
    ...(sealedUntil && { sealed_until: new Date(Number(sealedUntil) / 1000).toISOString() }),
    erasures_verified: erasures?.certified ?? 0,
    erasures_under_way: erasures?.underWay ?? 0,
    tokens_compared: revisions?.tokens ?? 0,
    client_keys_compared: clientKeys?.keys ?? 0,
    head: textOf(last),
  };
  const place = tenantPlace(tenant) ?? tokenPlace(token) ?? clientKeyPlace(clientKey) ?? rangePlace(mismatch);
  if (place === undefined) return { output };
  return { output: { ...output, first_mismatch: place }, exitCode: exitCodes.data };
}

const tenantPlace = (found: VerifiedErasures['mismatch']) =>
  found && { tenant_id: found.tenantId, problem: found.problem };

const tokenPlace = (found: RevisionMismatch | undefined) =>
  found && { tenant_id: found.tenantId, token_id: found.tokenId, problem: found.problem };

const clientKeyPlace = (found: ClientKeyMismatch | undefined) =>
  found && { tenant_id: found.tenantId, key_id: found.keyId, problem: found.problem };

const rangePlace = (found: Mismatch | undefined) => {
  if (found === undefined) return undefined;
  const { range, problem } = found;
  return { ...(range && { range: range.number, after_id: range.afterId, last_id: range.lastId }), problem };
};

/** Undefined: nothing is sealed yet. A string: why the key is missing although there are seals. */
async function keyOf({ postgres, provider }: Store) {
  const stored = await readAuditKey(postgres.withoutTenant);
  if (stored === undefined) {
    const { number } = await lastSeal(postgres.withoutTenant);
    return number === '0' ? undefined : 'the key of the seals was removed';
  }
  try {
    return await unwrapAuditKey(provider, stored);
  } catch (error) {
    if (error instanceof IntegrityViolation) return 'the key of the seals was changed';
    throw error;
  }
}

function broken(problem: string) {
  return { output: { intact: false, first_mismatch: { problem } }, exitCode: exitCodes.data };
}

const textOf = ({ number, digest }: KnownSeal) => `${number}:${digest.toString('hex')}`;

function readSealed(option: string, text: string): KnownSeal {
  const [, number, digest] = /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || digest === undefined) {
    throw new UsageError(`${option}: must be what an earlier call printed`);
  }
  return { number, digest: Buffer.from(digest, 'hex') };
}
