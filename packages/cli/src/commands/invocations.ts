import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { placed } from '../files/show-places.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CodePlaces } from './code-places.ts';
import { type Call, type Command, folderFlag } from './command.ts';
import { showNewest } from './show-newest.ts';
import { subjectIdOf } from './subjects.ts';

export const invocations: Command = {
  name: 'invocations',
  takes: [],
  flags: {
    follow: { type: 'boolean', short: 'f', does: 'Goes on with new ones until Ctrl-C.' },
    subject: {
      type: 'string',
      value: 'NAME',
      does: 'Only those of the proxy or reactor of this name or id.',
    },
    outcome: { type: 'string', value: 'OUTCOME', does: '`succeeded`, `failed` or `refused`.' },
    status: {
      type: 'string',
      value: 'STATUS',
      does: 'Only those that were answered with it, such as `502`.',
    },
    'trace-id': { type: 'string', value: 'ID', does: 'Only those of this request.' },
    size: { type: 'string', value: 'NUMBER', does: 'How many to begin with, 1 to 100; 20 without it.' },
    ...folderFlag,
  },
  does: 'Shows what proxies and reactors did, without any value, the newest last.',
  async run(call) {
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const query = await queryOf(api, call);
    const places = new PlacesOfOutlines(api, new CodePlaces(call));
    await showNewest(call, {
      most: 100,
      read: async (size) => {
        const { data } = await api.read('/invocations', { ...query, size: plainText(size) });
        const outlines = Array.isArray(data) ? data.filter(isObject) : [];
        return Promise.all(outlines.map((outline) => places.show(outline)));
      },
      lineOf,
      none: 'there are none that are kept; of quiet successes 1 % are, see invocation_sampling',
    });
    return 0;
  },
};

async function queryOf(api: Api, call: Call): Promise<Record<string, string | undefined>> {
  return {
    subject: await subjectIdOf(api, call.text('subject')),
    outcome: call.text('outcome'),
    status: call.text('status'),
    trace_id: call.text('trace-id'),
  };
}

/** Looks up the code that an outline is about: that of its version. */
class PlacesOfOutlines {
  readonly #api: Api;
  readonly #places: CodePlaces;
  /** By path. */
  readonly #definitions = new Map<string, Promise<unknown>>();

  constructor(api: Api, places: CodePlaces) {
    this.#api = api;
    this.#places = places;
  }

  /** The outline with the place of its error in a file of the folder, if the code comes from one. */
  async show(outline: JsonObject): Promise<JsonObject> {
    const { error, subject, version, destination } = outline;
    if (!isObject(error) || error['line'] === undefined || !isObject(subject) || subject['id'] === undefined)
      return outline;
    if (!(await this.#places.anyFiles())) return outline;
    const kind = subject['type'] === 'reactor' ? 'reactors' : 'proxies';
    const path = `/${kind}/${encodeURIComponent(plainText(subject['id']))}`;
    const definition = await this.#definition(
      version === undefined ? path : `${path}/versions/${plainText(version)}`,
    );
    // Once the destination has been called, only the response is left to transform.
    const side = destination === undefined ? 'request' : 'response';
    return { ...outline, error: placed(error, await this.#places.filesOf(definition, side)) };
  }

  /** Undefined if it was deleted, or this key may not read it: then its outline is shown as it is. */
  #definition(path: string): Promise<unknown> {
    const known = this.#definitions.get(path);
    if (known !== undefined) return known;
    const read = this.#api.read(path).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    this.#definitions.set(path, read);
    return read;
  }
}

function lineOf({
  started_at,
  outcome,
  subject,
  status,
  duration_ms,
  destination,
  error,
  trace_id,
}: JsonObject): string {
  const { type, id } = isObject(subject) ? subject : {};
  const { code, line, column, file = 'main.js' } = isObject(error) ? error : {};
  const place = line === undefined ? undefined : `${plainText(file)}:${plainText(line)}:${plainText(column)}`;
  const url = isObject(destination) ? destination['url'] : undefined;
  const shown = [
    started_at,
    outcome,
    type,
    id,
    status,
    `${plainText(duration_ms)} ms`,
    url,
    code,
    place,
    trace_id,
  ];
  return shown
    .filter((value) => value !== undefined && value !== null)
    .map(plainText)
    .join(' ');
}
