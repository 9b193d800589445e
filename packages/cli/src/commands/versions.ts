import { plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Command } from './command.ts';
import { kindOf, pathOfNamed, versionedKinds } from './subjects.ts';

export const versions: Command = {
  name: 'versions',
  takes: ['KIND', 'NAME', '[VERSION]'],
  flags: {},
  does: 'Lists the versions of a proxy, reactor or formula, or shows one.',
  async run(call) {
    const [word = '', name = '', version] = call.words;
    const kind = kindOf(word, versionedKinds);
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = `${await pathOfNamed(api, kind, name)}/versions`;
    if (version !== undefined) {
      const one = await api.read(`${path}/${checkVersion(version)}`);
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
