import { randomUUID } from 'node:crypto';

import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Command } from './command.ts';
import { lineOf, listPeople, pathOfPerson } from './people.ts';

export const listMembers: Command = {
  name: 'members list',
  takes: [],
  flags: {},
  does: 'Lists who may sign in to the console, with their roles.',
  async run(call) {
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const members = await listPeople(api, 'member');
    call.out.result({ members }, members.map(lineOf).join('\n'));
    return 0;
  },
};

export const changeRole: Command = {
  name: 'members role',
  takes: ['PERSON', 'ROLE'],
  flags: {},
  does: 'Gives a member another role, and ends their sessions.',
  async run(call) {
    const [person = '', role = ''] = call.words;
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = await pathOfPerson(api, 'member', person);
    const body = { role: role.toUpperCase() };
    const { json } = await api.send('PUT', path, { body, idempotencyKey: randomUUID() });
    call.out.result(json, `${person} is ${body.role} now`);
    return 0;
  },
};

export const removeMember: Command = {
  name: 'members remove',
  takes: ['PERSON'],
  flags: {},
  does: 'Removes a member, and ends their sessions.',
  async run(call) {
    const [person = ''] = call.words;
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    await api.send('DELETE', await pathOfPerson(api, 'member', person), { idempotencyKey: randomUUID() });
    call.out.result({ removed: person }, `${person} is removed`);
    return 0;
  },
};
