import { randomUUID } from 'node:crypto';

import { ApiError } from '../api/api-error.ts';
import type { Answer, Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { warningsOf } from '../api/warnings.ts';
import { type Kind, kindFacts } from '../files/kinds.ts';
import { equal, normalise, normalisePolicy } from '../plan/normalise.ts';
import type { Change, Plan } from '../plan/plan.ts';
import type { State } from '../plan/state.ts';
import { CliError } from '../terminal/cli-error.ts';
import { create } from './create.ts';
import { requestOf } from './request-of.ts';

export interface Applying {
  readonly api: Api;
  /** Its tenant. */
  readonly tenant: string;
  readonly state: State;
  /** Says why versions are made; as bytes. */
  readonly comment: string;
  /** Ends the work after the request that is under way. */
  readonly signal: AbortSignal;
  /** Told what the service warns of, such as code that exports no function. */
  readonly onWarning: (place: string, text: string) => void;
  /** The error to throw for what a step has thrown. */
  readonly explain: (place: string, error: unknown) => unknown;
  /** Called after each step; with the answer of a creation. */
  readonly onDone: (change: Change, created?: JsonObject) => void;
}

/**
 * Does a plan, one request after the other, and marks what it did after each. Run again after any end, it goes on where it was:
 * what is done is unchanged in the next plan.
 * @throws ApiError, CliError
 */
export async function applyPlan(plan: Plan, applying: Applying): Promise<void> {
  for (const { kind, name, id } of plan.unchanged) applying.state.mark(kind, name, id);
  const made = new Map<string, string>();
  for (const change of plan.changes) {
    if (applying.signal.aborted) throw new CliError('interrupted: run it again to go on');
    const created = await applyOne(change, made, applying).catch((error: unknown) => {
      throw applying.explain(`${change.kind}.${change.name}`, error);
    });
    applying.onDone(change, created);
  }
}

async function applyOne(
  change: Change,
  made: Map<string, string>,
  applying: Applying,
): Promise<JsonObject | undefined> {
  const { state } = applying;
  if (change.kind === 'egress_policy') return updatePolicy(change, applying);
  const { kind, name } = change;
  if (change.action === 'delete') {
    await remove(kind, change.id, applying);
    state.unmark(kind, name);
    return undefined;
  }
  const definition = withIds(change.definition, kind, made);
  if (change.action === 'update') {
    await update({ kind, name, id: change.id, before: change.before }, definition, applying);
    state.mark(kind, name, change.id);
    return undefined;
  }
  const created = await create(kind, name, definition, applying);
  made.set(`${kind}.${name}`, plainText(created['id']));
  state.mark(kind, name, plainText(created['id']));
  return created;
}

async function updatePolicy(
  { definition, before }: Change & { kind: 'egress_policy' },
  { api }: Applying,
): Promise<undefined> {
  const path = '/tenants/self/egress-policy';
  const present = normalisePolicy(await api.read(path));
  if (equal(present, definition)) return;
  if (!equal(present, before)) throw changedMeanwhile('egress_policy');
  await api.send('PUT', path, { body: definition, idempotencyKey: randomUUID() });
}

/** Replaces what the plan has seen, and nothing else. */
async function update(
  change: { readonly kind: Kind; readonly name: string; readonly id: string; readonly before: JsonObject },
  definition: JsonObject,
  { api, comment, onWarning }: Applying,
): Promise<void> {
  const { kind, name, id, before } = change;
  const answer = await api.send('GET', pathOf(kind, id));
  const present = normalise(kind, isObject(answer.json) ? answer.json : {});
  // Somebody else may have done the same.
  if (equal(present, normalise(kind, definition))) return;
  if (!equal(present, before)) throw changedMeanwhile(`${kind}.${name}`);
  const body = requestOf(kind, name, definition, false);
  const headers = { 'SVC-Comment': comment, ...ifMatch(answer) };
  try {
    const done = await api.send('PUT', pathOf(kind, id), { body, headers, idempotencyKey: randomUUID() });
    for (const text of warningsOf(done)) onWarning(`${kind}.${name}`, text);
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) throw changedMeanwhile(`${kind}.${name}`);
    throw error;
  }
}

/** What is gone already is fine. */
async function remove(kind: Kind, id: string, { api }: Applying): Promise<void> {
  try {
    await api.send('DELETE', pathOf(kind, id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** References to what this run has made. */
function withIds(definition: JsonObject, kind: Kind, made: ReadonlyMap<string, string>): JsonObject {
  const resolved = { ...definition };
  for (const [member, target] of Object.entries(kindFacts[kind].references)) {
    const reference = definition[member];
    if (!isObject(reference) || 'id' in reference) continue;
    resolved[member] = { id: made.get(`${target}.${plainText(reference['name'])}`) ?? null };
  }
  return resolved;
}

function pathOf(kind: Kind, id: string): string {
  return `${kindFacts[kind].path}/${encodeURIComponent(id)}`;
}

function ifMatch({ headers }: Answer): Record<string, string> {
  const tag = headers.get('ETag');
  return tag === null ? {} : { 'If-Match': tag };
}

function changedMeanwhile(place: string): CliError {
  return new CliError(`${place}: somebody else has changed it since the plan was made; run it again`);
}
