import { ApiError } from '../api/api-error.ts';
import type { Answer, Sent } from '../api/api.ts';
import { isObject, plainText } from '../api/json.ts';
import { managementApi, useApi } from '../profile/connect.ts';
import { type Profile, loadProfile } from '../profile/profile.ts';
import { UsageError } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';
import type { Call, Command, Flag } from './command.ts';
import { kindOf, pathOfNamed } from './subjects.ts';

export const invocationFlags: Readonly<Record<string, Flag>> = {
  body: {
    type: 'string',
    value: 'FILE',
    does: 'What is sent; of a reactor `{"args": …}`. `-` is standard input.',
  },
  method: { type: 'string', value: 'METHOD', does: 'Of a proxy. `POST` with a body, else `GET`.' },
  path: {
    type: 'string',
    value: 'PATH',
    does: 'Of a proxy: what follows its destination, such as `/charges`.',
  },
  header: {
    type: 'string',
    multiple: true,
    value: 'HEADER',
    does: 'Of a proxy, such as `Accept: text/plain`; repeatable.',
  },
};

export const invoke: Command = {
  name: 'invoke',
  takes: ['KIND', 'NAME'],
  flags: invocationFlags,
  does: 'Sends a request through a proxy, or invokes a reactor. Really: the destination gets it.',
  async run(call) {
    const { method, path, sent } = await requestOf(call);
    const answer = await useApi(loadProfile(call.env, call.text('profile'))).exchange(method, path, sent);
    show(call, answer);
    return answer.status <= 299 ? 0 : 1;
  },
};

/** The request that invokes what the command names. */
export async function requestOf(call: Call): Promise<{ method: string; path: string; sent: Sent }> {
  const [word = '', name = ''] = call.words;
  const kind = kindOf(word, ['proxies', 'reactors']);
  const profile = loadProfile(call.env, call.text('profile'));
  const file = call.text('body');
  const body = file === undefined ? {} : { body: readInput(file) };
  const resource = await pathOfNamed(managementApi(profile), kind, name);
  if (kind === 'reactors') {
    return { method: 'POST', path: `${resource}/react`, sent: { body: body.body ?? '{}' } };
  }
  const rest = call.text('path') ?? '';
  if (rest !== '' && !/^[/?]/.test(rest)) throw new UsageError('--path begins with /');
  const headers = { ...headersOf(call), 'SVC-PROXY-KEY': await proxyKey(profile, resource) };
  const method = (call.text('method') ?? (file === undefined ? 'GET' : 'POST')).toUpperCase();
  return { method, path: `/proxy${rest}`, sent: { ...body, headers } };
}

async function proxyKey(profile: Profile, path: string): Promise<string> {
  return plainText((await managementApi(profile).read(path))['key']);
}

function headersOf(call: Call): Record<string, string> {
  return Object.fromEntries(
    call.texts('header').map((line) => {
      const [, name, value] = /^([A-Za-z0-9_-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new UsageError('--header is NAME: VALUE');
      return [name, value];
    }),
  );
}

function show(call: Call, { status, headers, text, json }: Answer): void {
  const own = isObject(json) && ('proxy_error' in json || 'doc_url' in json);
  if (status > 299 && own) throw new ApiError(status, json);
  call.out.note(`${status}`);
  const shown = Object.fromEntries(headers);
  call.out.result({ status, headers: shown, body: json ?? text }, text);
}
