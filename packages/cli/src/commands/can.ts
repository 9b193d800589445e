import { isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Command } from './command.ts';
import { pathOfNamed } from './subjects.ts';

export const can: Command = {
  name: 'can',
  takes: ['APPLICATION', 'PERMISSION'],
  flags: {
    container: { type: 'string', value: 'PATH', does: 'Of the token; `/` without it.' },
    to: {
      type: 'string',
      value: 'HOST',
      does: 'Of `token:use`: where the value goes. Without it, anywhere.',
    },
  },
  does: 'Says whether the keys of an application may do something to tokens, and by which rule. Exit code 1 if not.',
  async run(call) {
    const [name = '', permission = ''] = call.words;
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = `${await pathOfNamed(api, 'applications', name)}/simulate-access`;
    const container = call.text('container') ?? '/';
    const said = await api.read(path, { permission, container, destination: call.text('to') });
    const { decision, rule, transform, reason } = said;
    const by = isObject(rule) ? `by rule ${plainText(rule['priority'])}` : undefined;
    const line = [decision, by, reason ?? transform].filter((part) => part !== undefined).map(plainText);
    call.out.result(said, line.join('\t'));
    return decision === 'allowed' ? 0 : 1;
  },
};
