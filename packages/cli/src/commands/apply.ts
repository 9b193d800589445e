import { asBytes } from '../api/header-bytes.ts';
import type { JsonObject } from '../api/json.ts';
import { applyPlan } from '../apply/apply-plan.ts';
import { KeysFile, makeMissingKeys } from '../apply/keys-file.ts';
import type { Change } from '../plan/plan.ts';
import { UsageError } from '../terminal/cli-error.ts';
import { interruption } from '../terminal/interrupt.ts';
import { explained, withPlacesOf } from './code-places.ts';
import { type Call, type Command, folderFlag } from './command.ts';
import { type Prepared, preparePlan } from './prepare-plan.ts';
import { jsonOfPlan, lineOf, textOfPlan } from './show-plan.ts';

export const apply: Command = {
  name: 'apply',
  takes: [],
  flags: {
    ...folderFlag,
    check: { type: 'boolean', does: 'Changes nothing; exit code 2 if there is anything to do.' },
    prune: { type: 'boolean', does: 'Deletes what this folder has applied and no longer has.' },
    keys: {
      type: 'string',
      value: 'FILE',
      does: 'Makes a key for each application without one, and keeps keys and secrets of new webhooks in this file (0600).',
    },
    comment: { type: 'string', value: 'TEXT', does: 'Why, in the versions that it makes.' },
  },
  does: 'Makes the tenant as the folder describes it.',
  async run(call) {
    if (call.is('check') && call.text('keys') !== undefined) throw new UsageError('--check makes no keys');
    const prepared = await preparePlan(call);
    if (call.is('check')) {
      call.out.result(jsonOfPlan(prepared.plan), textOfPlan(prepared.plan));
      return prepared.plan.changes.length === 0 ? 0 : 2;
    }
    const path = call.text('keys');
    const keys = path === undefined ? undefined : new KeysFile(path);
    await carryOut(call, prepared, keys);
    return 0;
  },
};

async function carryOut(
  call: Call,
  { api, tenant, state, folder, plan }: Prepared,
  keys?: KeysFile,
): Promise<void> {
  const onDone = (change: Change, created?: JsonObject) => {
    call.out.note(lineOf(change));
    if (change.action !== 'create') return;
    const secret = created?.['secret'];
    if (typeof secret === 'string') keys?.add('webhooks', change.name, secret);
    if (keys === undefined) adviseOnSecret(call, change);
  };
  const onWarning = (place: string, text: string) =>
    call.out.warn(`${place}: ${withPlacesOf(folder, place, text)}`);
  const explain = (place: string, error: unknown) => explained(folder, place, error);
  const comment = asBytes(call.text('comment') ?? 'glovebox apply');
  await applyPlan(plan, { api, tenant, state, comment, signal: interruption(), onWarning, explain, onDone });
  const marked = state.marked('applications');
  const own = new Map([...marked].filter(([name]) => folder.resources.applications.has(name)));
  const made = keys === undefined ? [] : await makeMissingKeys(api, own, keys);
  const { changes, unchanged } = plan;
  call.out.result(
    { ...jsonOfPlan(plan), keys_made: made },
    `${changes.length} changed, ${unchanged.length} unchanged${made.length === 0 ? '' : `, ${made.length} keys made`}`,
  );
}

function adviseOnSecret({ out }: Call, { kind, name }: Change): void {
  if (kind === 'applications') out.note(`  it has no key yet: glovebox apply --keys FILE makes one`);
  if (kind === 'webhooks')
    out.note(`  nobody has seen the secret of ${name}: POST /webhooks/{id}/rotate-secret shows a new one`);
}
