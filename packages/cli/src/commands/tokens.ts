import { randomUUID } from 'node:crypto';

import { useApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { UsageError } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';
import type { Command } from './command.ts';

export const createToken: Command = {
  name: 'tokens create',
  takes: [],
  flags: {
    body: {
      type: 'string',
      value: 'FILE',
      does: 'The request to create a token, such as `{"type": "token", "data": "…"}`; `-` is standard input.',
    },
  },
  does: 'Creates a token and shows it.',
  async run(call) {
    const file = call.text('body');
    if (file === undefined) throw new UsageError('--body is missing');
    const api = useApi(loadProfile(call.env, call.text('profile')));
    const { json } = await api.send('POST', '/tokens', {
      body: readInput(file),
      idempotencyKey: randomUUID(),
    });
    call.out.result(json, JSON.stringify(json, undefined, 2));
    return 0;
  },
};

export const getToken: Command = {
  name: 'tokens get',
  takes: ['ID'],
  flags: {},
  does: 'Shows a token as the API key may see it.',
  async run(call) {
    const [id = ''] = call.words;
    const api = useApi(loadProfile(call.env, call.text('profile')));
    const token = await api.read(`/tokens/${encodeURIComponent(id)}`);
    call.out.result(token, JSON.stringify(token, undefined, 2));
    return 0;
  },
};
