import { plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { versionDifferences } from '../plan/version-differences.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Command } from './command.ts';
import { textOfDifference } from './show-plan.ts';
import { kindOf, pathOfNamed, versionedKinds } from './subjects.ts';

export const versions: Command = {
  name: 'versions',
  takes: ['KIND', 'NAME', '[VERSION]'],
  flags: {
    against: {
      type: 'string',
      value: 'VERSION',
      does: 'Shows what differs from that version. Of values that are not shown, also those that may differ.',
    },
  },
  does: 'Lists the versions of a proxy, reactor or formula, or shows one.',
  async run(call) {
    const [word = '', name = '', version] = call.words;
    const kind = kindOf(word, versionedKinds);
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = `${await pathOfNamed(api, kind, name)}/versions`;
    if (version === undefined && call.text('against') !== undefined)
      throw new UsageError('--against needs a VERSION to compare');
    if (version !== undefined) {
      const one = await api.read(`${path}/${checkVersion(version)}`);
      const against = call.text('against');
      if (against !== undefined) {
        const other = await api.read(`${path}/${checkVersion(against)}`);
        const changes = versionDifferences(other, one);
        call.out.result({ differences: changes }, changes.flatMap(textOfDifference).join('\n'));
        return 0;
      }
      call.out.result(one, JSON.stringify(one, undefined, 2));
      return 0;
    }
    const listed = (await listAll(api, path, 'version')).map(({ definition: _definition, ...one }) => one);
    const lines = listed.map((one) =>
      [one['version'], one['created_at'], one['comment'], ...(one['draft'] === true ? ['draft'] : [])]
        .map(plainText)
        .join('\t'),
    );
    call.out.result({ versions: listed }, lines.join('\n'));
    return 0;
  },
};

export function checkVersion(text: string): string {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('VERSION is a whole number from 1');
  return text;
}
