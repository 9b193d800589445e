import { randomUUID } from 'node:crypto';

import { isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Command } from './command.ts';
import { lineOf, listPeople, pathOfPerson, peoplePaths } from './people.ts';

export const listInvitations: Command = {
  name: 'invitations list',
  takes: [],
  flags: {},
  does: 'Lists invitations, the newest first.',
  async run(call) {
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const invitations = await listPeople(api, 'invitation');
    call.out.result({ invitations }, invitations.map(lineOf).join('\n'));
    return 0;
  },
};

export const invite: Command = {
  name: 'invitations create',
  takes: ['EMAIL'],
  flags: {
    role: { type: 'string', value: 'ROLE', does: 'Such as `DEVELOPER`; `VIEWER` without it.' },
  },
  does: 'Invites a person, who becomes a member by signing in with this address. No mail is sent.',
  async run(call) {
    const [email = ''] = call.words;
    const role = call.text('role')?.toUpperCase();
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const body = { email, ...(role === undefined ? {} : { role }) };
    const { json } = await api.send('POST', peoplePaths.invitation, { body, idempotencyKey: randomUUID() });
    call.out.result(json, untilWhen(email, json));
    return 0;
  },
};

export const renewInvitation: Command = {
  name: 'invitations renew',
  takes: ['PERSON'],
  flags: {},
  does: 'Makes an invitation valid for another 72 hours.',
  async run(call) {
    const [person = ''] = call.words;
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = `${await pathOfPerson(api, 'invitation', person)}/resend`;
    const { json } = await api.send('POST', path, { idempotencyKey: randomUUID() });
    call.out.result(json, untilWhen(person, json));
    return 0;
  },
};

export const deleteInvitation: Command = {
  name: 'invitations delete',
  takes: ['PERSON'],
  flags: {},
  does: 'Takes an invitation back.',
  async run(call) {
    const [person = ''] = call.words;
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    await api.send('DELETE', await pathOfPerson(api, 'invitation', person), { idempotencyKey: randomUUID() });
    call.out.result({ deleted: person }, `the invitation of ${person} is deleted`);
    return 0;
  },
};

function untilWhen(person: string, invitation: unknown): string {
  const { role, expires_at } = isObject(invitation) ? invitation : {};
  return `${person} may sign in as ${plainText(role)} until ${plainText(expires_at)}`;
}
