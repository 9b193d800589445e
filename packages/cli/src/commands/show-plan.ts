import { type Json, isObject } from '../api/json.ts';
import type { Difference } from '../plan/differences.ts';
import { differences } from '../plan/differences.ts';
import type { Change, Plan } from '../plan/plan.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;

/** One line for a change, such as `~ proxies.charge`. */
export function lineOf({ action, kind, name }: Change): string {
  return `${signs[action]} ${placeOf(kind, name)}`;
}

/** A plan for people: each change, and below it each member with its values. */
export function textOfPlan({ changes, leftovers }: Plan): string {
  const lines = changes.flatMap((change) => [
    lineOf(change),
    ...membersOf(change).flatMap((difference) => textOfDifference(difference).map((line) => `    ${line}`)),
  ]);
  const kept = leftovers.filter(
    ({ kind, name }) => !changes.some((change) => change.kind === kind && change.name === name),
  );
  const notes = kept.map(
    ({ kind, name }) => `  ${placeOf(kind, name)} is no longer in the folder; --prune deletes it`,
  );
  return [...lines, ...notes].join('\n');
}

/** A plan for programs. */
export function jsonOfPlan({ changes, leftovers, unchanged }: Plan): object {
  return {
    changes: changes.map((change) => ({
      action: change.action,
      kind: change.kind,
      ...(change.kind === 'egress_policy' ? {} : { name: change.name }),
      ...('id' in change ? { id: change.id } : {}),
      members: membersOf(change),
    })),
    unchanged: unchanged.length,
    leftovers,
  };
}

function membersOf(change: Change): readonly Difference[] {
  if (change.action === 'update') return change.differences;
  return change.action === 'create' ? differences({}, shown(change.definition)) : [];
}

/** The key of a certificate is no part of what is shown. */
function shown(definition: { [name: string]: Json }): { [name: string]: Json } {
  const { destination_tls: tls, ...rest } = definition;
  if (!isObject(tls)) return definition;
  const { client_key: _key, ...visible } = tls;
  return { ...rest, destination_tls: visible };
}

/** A member that differs, with its values. */
export function textOfDifference({ path, before, after, secret }: Difference): string[] {
  if (secret === true) return [`${path}: (a value that is not shown)`];
  // Code in a new member is shown by its lines, as changed code is.
  if (before === undefined && isObject(after) && Object.values(after).some(isText)) {
    return Object.entries(after).flatMap(([name, inner]) =>
      textOfDifference({ path: `${path}.${name}`, after: inner }),
    );
  }
  if (isText(before) || isText(after)) return [`${path}:`, ...changedLines(linesOf(before), linesOf(after))];
  const values = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  return before === undefined ? [`${path}: ${values[1]}`] : [`${path}: ${values.join(' → ')}`];
}

/** The lines between what both begin and end with. */
function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < shorter && before[begin] === after[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const cut = (lines: readonly string[], sign: string) =>
    lines.slice(begin, lines.length - end).map((line) => `  ${sign} ${line}`);
  return [`  @@ line ${begin + 1} @@`, ...cut(before, '-'), ...cut(after, '+')];
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('\n');
}

function linesOf(value: Json | undefined): string[] {
  return typeof value === 'string' ? value.split('\n') : [];
}

function placeOf(kind: string, name: string): string {
  return name === '' ? kind : `${kind}.${name}`;
}
