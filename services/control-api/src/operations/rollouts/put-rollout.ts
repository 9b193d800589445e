import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { RolloutKind } from '../../rollouts/kind.ts';
import { type RolloutInput, readRollout } from '../../rollouts/read-rollout.ts';
import { type RolloutRow, changedRollout } from '../../rollouts/rollout.ts';
import { showRollout } from '../../rollouts/show-rollout.ts';
import type { VersionedKind } from '../../versions/kind.ts';
import type { Dependencies } from '../dependencies.ts';

interface RolledOutKind {
  readonly rollouts: RolloutKind;
  readonly versions: VersionedKind;
  /** @throws AppError `invalid_argument` for a definition that the operator or the formula does not allow any more */
  readonly requireUsable: (
    dependencies: Dependencies,
    definition: Readonly<Record<string, unknown>>,
    tx: Queryable,
  ) => void | Promise<void>;
}

/** Begins a rollout, or changes its share of requests. */
export function putRollout(kind: RolledOutKind) {
  const { rollouts } = kind;
  return async (dependencies: Dependencies, call: Call): Promise<Reply> => {
    const { changes, figures } = dependencies;
    const { principal, id } = call;
    const { tenantId } = principal;
    const input = readRollout(call.body);
    const event = auditEvent(call, 'update_rollout', rollouts.name, id);
    const found = await changes.apply(event, async (tx) => {
      const present = await rollouts.lock(tx, tenantId, id);
      await requireVersion(kind, dependencies, { tx, call, present, input });
      const before = (await rollouts.find(tx, tenantId, id))?.row;
      const row = nextRow(before, call, input);
      await rollouts.store(tx, row);
      return { result: { row, present }, records: await rollouts.published(tx, id) };
    });
    return { status: 200, body: await showRollout(figures, found) };
  };
}

interface Asked {
  readonly tx: Queryable;
  readonly call: Call;
  readonly present: string;
  readonly input: RolloutInput;
}

async function requireVersion(
  { versions, requireUsable }: RolledOutKind,
  dependencies: Dependencies,
  { tx, call: { principal, id }, present, input: { version } }: Asked,
): Promise<void> {
  if (String(version) === present) throw validationError({ version: ['must not be the present version'] });
  const kept = await versions.find(tx, principal.tenantId, id, version);
  if (kept === undefined) throw validationError({ version: ['must be a version that is kept'] });
  await requireUsable(dependencies, kept.definition, tx);
}

/** While a version is rolled out in the same mode it keeps its figures. */
function nextRow(
  before: RolloutRow | undefined,
  { principal: { applicationId }, id }: Call,
  { version, percent, mode, header, stopWhen }: RolloutInput,
): RolloutRow {
  const settings = {
    version: String(version),
    percent: mode === 'live' ? percent : 0,
    shadow_percent: mode === 'live' ? null : percent,
    header,
    stop_error_rate: stopWhen?.error_rate ?? null,
    stop_min_requests: stopWhen === null ? null : String(stopWhen.min_requests),
    state: 'running',
    reason: null,
  } as const;
  const isSameMode = (before?.shadow_percent === null) === (mode === 'live');
  if (before?.state === 'running' && before.version === settings.version && isSameMode)
    return changedRollout(before, { ...settings, modified_by: applicationId });
  const created = { created_by: applicationId, created_at: new Date(), modified_by: null, modified_at: null };
  const row = { resource_id: id, id: randomUUID(), ...settings, revision: '0', ...created };
  return changedRollout({ ...row, revision: before?.revision ?? '0' }, created);
}
