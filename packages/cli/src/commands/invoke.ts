import { ApiError } from '../api/api-error.ts';
import type { Answer, Sent } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { withPlaces } from '../files/show-places.ts';
import { managementApi, useApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { UsageError } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';
import { CodePlaces } from './code-places.ts';
import { type Call, type Command, type Flag, folderFlag } from './command.ts';
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
  flags: { ...invocationFlags, ...folderFlag },
  does: 'Sends a request through a proxy, or invokes a reactor. Really: the destination gets it.',
  async run(call) {
    const { method, path, sent, resource } = await requestOf(call);
    const answer = await useApi(loadProfile(call.env, call.text('profile'))).exchange(method, path, sent);
    const error = errorOf(answer);
    if (error !== undefined) {
      const files = await new CodePlaces(call).filesOf(resource);
      throw error.reworded((problem) => withPlaces(problem, files));
    }
    show(call, answer);
    return answer.status <= 299 ? 0 : 1;
  },
};

export interface Invocation {
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
  /** The proxy or reactor. */
  readonly resource: JsonObject;
}

/** The request that invokes what the command names. */
export async function requestOf(call: Call): Promise<Invocation> {
  const [word = '', name = ''] = call.words;
  const kind = kindOf(word, ['proxies', 'reactors']);
  const profile = loadProfile(call.env, call.text('profile'));
  const file = call.text('body');
  const body = file === undefined ? {} : { body: readInput(file) };
  const api = managementApi(profile);
  const found = await pathOfNamed(api, kind, name);
  const resource = await api.read(found);
  if (kind === 'reactors') {
    return { method: 'POST', path: `${found}/react`, sent: { body: body.body ?? '{}' }, resource };
  }
  const rest = call.text('path') ?? '';
  if (rest !== '' && !/^[/?]/.test(rest)) throw new UsageError('--path begins with /');
  const headers = { ...headersOf(call), 'SVC-PROXY-KEY': plainText(resource['key']) };
  const method = (call.text('method') ?? (file === undefined ? 'GET' : 'POST')).toUpperCase();
  return { method, path: `/proxy${rest}`, sent: { ...body, headers }, resource };
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

/** An error of the service's own; the destination's are answers. */
function errorOf({ status, json }: Answer): ApiError | undefined {
  const own = isObject(json) && ('proxy_error' in json || 'doc_url' in json);
  return status > 299 && own ? new ApiError(status, json) : undefined;
}

function show(call: Call, { status, headers, text, json }: Answer): void {
  call.out.note(`${status}`);
  const shown = Object.fromEntries(headers);
  call.out.result({ status, headers: shown, body: json ?? text }, text);
}
