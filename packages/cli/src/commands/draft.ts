import { randomUUID } from 'node:crypto';

import { asBytes } from '../api/header-bytes.ts';
import { isObject, plainText } from '../api/json.ts';
import { warningsOf } from '../api/warnings.ts';
import { requestOf } from '../apply/request-of.ts';
import { kindFacts } from '../files/kinds.ts';
import type { Change } from '../plan/plan.ts';
import { CliError } from '../terminal/cli-error.ts';
import { explained, withPlacesOf } from './code-places.ts';
import { type Command, folderFlag } from './command.ts';
import { preparePlan } from './prepare-plan.ts';
import { kindOf, versionedKinds } from './subjects.ts';

export const draft: Command = {
  name: 'draft',
  takes: ['KIND', 'NAME'],
  flags: {
    ...folderFlag,
    comment: { type: 'string', value: 'TEXT', does: 'Why, in the version that it makes.' },
  },
  does: 'Stores what the folder has of a proxy, reactor or formula as a draft for a rollout: a version that serves no requests.',
  async run(call) {
    const [word = '', name = ''] = call.words;
    const kind = kindOf(word, versionedKinds);
    const { api, folder, plan } = await preparePlan(call);
    const place = `${kind}.${name}`;
    if (!folder.resources[kind].has(name)) throw new CliError(`${place} is not in the folder`);
    const change = plan.changes.find((one) => one.kind === kind && one.name === name);
    if (change === undefined) throw new CliError(`${place} is as the folder says already`);
    const { id, definition } = draftable(change, place);
    const sent = {
      body: requestOf(kind, name, definition, false),
      headers: { 'SVC-Comment': asBytes(call.text('comment') ?? 'glovebox draft') },
      idempotencyKey: randomUUID(),
    };
    const path = `${kindFacts[kind].path}/${id}/versions`;
    const { json, ...answer } = await api.send('POST', path, sent).catch((error: unknown) => {
      throw explained(folder, place, error);
    });
    for (const text of warningsOf({ json, ...answer }))
      call.out.warn(`${place}: ${withPlacesOf(folder, place, text)}`);
    const version = isObject(json) ? plainText(json['version']) : '';
    call.out.result({ kind, name, id, version: Number(version) }, `version ${version} of ${name} is a draft`);
    return 0;
  },
};

/** @throws CliError for what is not there yet, or refers to such */
function draftable(change: Change, place: string): Extract<Change, { action: 'update' }> & { id: string } {
  if (change.action !== 'update' || change.kind === 'egress_policy')
    throw new CliError(`${place} is not there yet: glovebox apply makes it`);
  for (const member of Object.keys(kindFacts[change.kind].references)) {
    const reference = change.definition[member];
    if (isObject(reference) && !('id' in reference))
      throw new CliError(`${place}.${member} is not there yet: glovebox apply makes it`);
  }
  return change;
}
