import { randomUUID } from 'node:crypto';

import { asBytes } from '../api/header-bytes.ts';
import { isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Command } from './command.ts';
import { kindOf, pathOfNamed, versionedKinds } from './subjects.ts';
import { checkVersion } from './versions.ts';

export const restore: Command = {
  name: 'restore',
  takes: ['KIND', 'NAME', 'VERSION'],
  flags: { comment: { type: 'string', value: 'TEXT', does: 'Why, in the version that it makes.' } },
  does: 'Makes a new version of a proxy, reactor or formula that equals an earlier one.',
  async run(call) {
    const [word = '', name = '', version = ''] = call.words;
    const kind = kindOf(word, versionedKinds);
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const wanted = checkVersion(version);
    const path = `${await pathOfNamed(api, kind, name)}/versions/${wanted}/restore`;
    const { json } = await api.send('POST', path, {
      idempotencyKey: randomUUID(),
      headers: { 'SVC-Comment': asBytes(call.text('comment') ?? '') },
    });
    const now = isObject(json) ? json['version'] : undefined;
    call.out.result(
      json,
      `${name} is version ${plainText(now)} now, which equals ${wanted}. A folder that describes it differs: change it too`,
    );
    return 0;
  },
};
