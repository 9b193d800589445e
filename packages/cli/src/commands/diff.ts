import { type Command, folderFlag } from './command.ts';
import { preparePlan } from './prepare-plan.ts';
import { jsonOfPlan, textOfPlan } from './show-plan.ts';

export const diff: Command = {
  name: 'diff',
  takes: [],
  flags: {
    ...folderFlag,
    prune: { type: 'boolean', does: 'Shows also what `apply --prune` deletes.' },
  },
  does: 'Shows what `apply` will do. Exit code 2 if there is anything.',
  async run(call) {
    const { plan } = await preparePlan(call);
    call.out.result(jsonOfPlan(plan), textOfPlan(plan));
    return plan.changes.length === 0 ? 0 : 2;
  },
};
