import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Call, Command } from './command.ts';
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
  },
  does: 'Shows what proxies and reactors did, without any value, the newest last.',
  async run(call) {
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const query = await queryOf(api, call);
    await showNewest(call, {
      most: 100,
      read: async (size) => {
        const { data } = await api.read('/invocations', { ...query, size: plainText(size) });
        return Array.isArray(data) ? data.filter(isObject) : [];
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
  const { code, line, column } = isObject(error) ? error : {};
  const place = line === undefined ? undefined : `main.js:${plainText(line)}:${plainText(column)}`;
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
