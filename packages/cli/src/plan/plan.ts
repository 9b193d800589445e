import { type JsonObject, isObject, plainText } from '../api/json.ts';
import type { Folder } from '../files/folder.ts';
import { type Kind, kindFacts, kinds } from '../files/kinds.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type Difference, differences } from './differences.ts';
import { findByName } from './find.ts';
import { equal, normalise, normalisePolicy } from './normalise.ts';
import type { State } from './state.ts';
import type { Tenant } from './tenant.ts';

/** One step. `definition` and `before` are normalised; references to what is still to be made are `{name}`. */
export type Change =
  | { readonly action: 'create'; readonly kind: Kind; readonly name: string; readonly definition: JsonObject }
  | {
      readonly action: 'update';
      readonly kind: Kind;
      readonly name: string;
      readonly id: string;
      readonly definition: JsonObject;
      readonly before: JsonObject;
      readonly differences: readonly Difference[];
    }
  | { readonly action: 'delete'; readonly kind: Kind; readonly name: string; readonly id: string }
  | {
      readonly action: 'update';
      readonly kind: 'egress_policy';
      readonly name: '';
      readonly definition: JsonObject;
      readonly before: JsonObject;
      readonly differences: readonly Difference[];
    };

export interface Plan {
  /** In the order in which they are done. */
  readonly changes: readonly Change[];
  /** What is as it should be: it is marked. */
  readonly unchanged: readonly { readonly kind: Kind; readonly name: string; readonly id: string }[];
  /** Applied earlier and no longer in the folder; deleted only by `--prune`. */
  readonly leftovers: readonly { readonly kind: Kind; readonly name: string; readonly id: string }[];
}

/** @throws CliError for what cannot be done, before anything is done */
export function makePlan(folder: Folder, tenant: Tenant, state: State, prune: boolean): Plan {
  const changes: Change[] = policyChange(folder, tenant);
  const unchanged: Plan['unchanged'][number][] = [];
  for (const kind of kinds) {
    for (const [name, given] of folder.resources[kind]) {
      const definition = normalise(kind, {
        ...given,
        ...referencesOf(kind, name, given, folder, tenant, state),
      });
      const present = findByName(kind, tenant.resources[kind], name, state.marked(kind).get(name));
      if (present === undefined) {
        changes.push({ action: 'create', kind, name, definition: withKey(definition, given) });
        continue;
      }
      const before = normalise(kind, present);
      const id = plainText(present['id']);
      if (equal(before, definition)) {
        unchanged.push({ kind, name, id });
        continue;
      }
      checkFixed(kind, name, before, definition);
      const changed = differences(before, definition);
      const sent = withKey(definition, given);
      changes.push({ action: 'update', kind, name, id, definition: sent, before, differences: changed });
    }
  }
  const leftovers = leftoversOf(folder, tenant, state);
  const deletions = leftovers
    .toReversed()
    .map(({ kind, name, id }) => ({ action: 'delete' as const, kind, name, id }));
  return { changes: prune ? [...changes, ...deletions] : changes, unchanged, leftovers };
}

/** The kinds that a folder or its state has, and those that they refer to. */
export function wantedKinds(folder: Folder, marked: (kind: Kind) => number): ReadonlySet<Kind> {
  const present = kinds.filter((kind) => folder.resources[kind].size > 0 || marked(kind) > 0);
  return new Set([...present, ...present.flatMap((kind) => Object.values(kindFacts[kind].references))]);
}

function policyChange({ egressPolicy }: Folder, tenant: Tenant): Change[] {
  if (egressPolicy === undefined || tenant.egressPolicy === undefined) return [];
  const before = normalisePolicy(tenant.egressPolicy);
  const definition = normalisePolicy(egressPolicy);
  if (equal(before, definition)) return [];
  const changed = differences(before, definition);
  return [{ action: 'update', kind: 'egress_policy', name: '', definition, before, differences: changed }];
}

/** References as `{id}`; as `{name}` where the folder is still to make it. */
function referencesOf(
  kind: Kind,
  name: string,
  given: JsonObject,
  folder: Folder,
  tenant: Tenant,
  state: State,
): JsonObject {
  const found: JsonObject = {};
  for (const [member, target] of Object.entries(kindFacts[kind].references)) {
    const wanted = given[member];
    if (typeof wanted !== 'string') continue;
    const present = findByName(target, tenant.resources[target], wanted, state.marked(target).get(wanted));
    if (present !== undefined) found[member] = { id: plainText(present['id']) };
    else if (folder.resources[target].has(wanted)) found[member] = { name: wanted };
    else throw new CliError(`${kind}.${name}.${member}: there is no ${kindFacts[target].one} ${wanted}`);
  }
  return found;
}

/** The key of a client certificate is sent, never compared. */
function withKey(definition: JsonObject, given: JsonObject): JsonObject {
  const tls = definition['destination_tls'];
  const sent = given['destination_tls'];
  const key = isObject(sent) ? sent['client_key'] : undefined;
  if (!isObject(tls) || key === undefined) return definition;
  return { ...definition, destination_tls: { ...tls, client_key: key } };
}

function checkFixed(kind: Kind, name: string, before: JsonObject, after: JsonObject): void {
  const fixed = { applications: ['type'], reactors: ['formula'], formulas: [], proxies: [], webhooks: [] }[
    kind
  ];
  for (const member of fixed) {
    if (equal(before[member] ?? null, after[member] ?? null)) continue;
    throw new CliError(
      `${kind}.${name}.${member}: cannot change. Give it another name, or delete the ${kindFacts[kind].one} first`,
    );
  }
}

function leftoversOf(folder: Folder, tenant: Tenant, state: State): Plan['leftovers'][number][] {
  return kinds.flatMap((kind) =>
    [...state.marked(kind)]
      .filter(([name]) => !folder.resources[kind].has(name))
      .filter(([, id]) => tenant.resources[kind].some((one) => one['id'] === id))
      // Without its own key, the program could not go on.
      .filter(([, id]) => id !== tenant.ownApplication)
      .map(([name, id]) => ({ kind, name, id })),
  );
}
