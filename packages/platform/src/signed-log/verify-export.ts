import type { KeyObject } from 'node:crypto';

import { type LogProblem, verifyLog } from './verify-log.ts';

const format = 'glovebox-audit-export/1';

/** What verifying an export of the audit log came to, as programs print it. */
export interface VerifiedExport {
  readonly intact: boolean;
  /** Members of its first line; absent ones if that is none. */
  readonly export: Readonly<Record<string, unknown>>;
  readonly entries: number;
  readonly checkpoints: number;
  /** Fingerprints of the given keys whose signatures match. */
  readonly keys?: readonly string[];
  /** The same of keys that the export itself names. */
  readonly believed_keys?: readonly string[];
  readonly first_mismatch?: LogProblem;
}

/**
 * Verifies an export (contract/audit-export.md) from its bytes alone.
 * @param known the only keys that count, by their fingerprints; undefined: those that the export names are believed
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array>,
  known: ReadonlyMap<string, KeyObject> | undefined,
): Promise<VerifiedExport> {
  const { header, entries, checkpoints, keys, problem } = await verifyLog(chunks, format, known);
  const { id, tenant_id, from, to, complete_until } = header ?? {};
  return {
    intact: problem === undefined,
    export: { id, tenant_id, from, to, complete_until },
    entries,
    checkpoints,
    ...(known === undefined ? { believed_keys: keys } : { keys }),
    ...(problem && { first_mismatch: problem }),
  };
}
