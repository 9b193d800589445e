import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Call, Command } from './command.ts';
import { momentOf } from './moment.ts';
import { showNewest } from './show-newest.ts';
import { subjectIdOf } from './subjects.ts';

const filters = ['operation', 'outcome', 'destination', 'trace-id', 'actor'] as const;

export const logs: Command = {
  name: 'logs',
  takes: [],
  flags: {
    follow: { type: 'boolean', short: 'f', does: 'Goes on with new entries until Ctrl-C.' },
    subject: { type: 'string', value: 'NAME', does: 'Only entries about the resource of this name or id.' },
    operation: { type: 'string', value: 'NAME', does: 'Only this operation, such as `use`.' },
    outcome: { type: 'string', value: 'OUTCOME', does: '`allowed` or `denied`.' },
    destination: { type: 'string', value: 'HOST', does: 'Only uses whose value was to be sent there.' },
    'trace-id': { type: 'string', value: 'ID', does: 'Only entries of this request.' },
    actor: { type: 'string', value: 'ID', does: 'Only what this application or session did.' },
    since: {
      type: 'string',
      value: 'WHEN',
      does: 'Only entries from then on: how long ago, such as `1h`, or a time.',
    },
    until: { type: 'string', value: 'WHEN', does: 'Only entries before then.' },
    size: { type: 'string', value: 'NUMBER', does: 'How many entries to begin with; 20 without it.' },
  },
  does: 'Shows the log: who did what, the newest last.',
  async run(call) {
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const period = {
      start_date: momentOf('since', call.text('since')),
      end_date: momentOf('until', call.text('until')),
    };
    const query = { ...queryOf(call), ...period, entity_id: await subjectIdOf(api, call.text('subject')) };
    await showNewest(call, {
      most: 10_000,
      read: (size) => newest(api, query, size),
      lineOf,
    });
    return 0;
  },
};

async function newest(
  api: Api,
  query: Record<string, string | undefined>,
  size: number,
): Promise<JsonObject[]> {
  const { data } = await api.read('/logs', { ...query, size: plainText(size) });
  return Array.isArray(data) ? data.filter(isObject) : [];
}

function queryOf(call: Call): Record<string, string | undefined> {
  const names: Readonly<Record<string, string>> = { 'trace-id': 'trace_id', actor: 'actor_id' };
  return Object.fromEntries(filters.map((flag) => [names[flag] ?? flag, call.text(flag)]));
}

function lineOf(entry: JsonObject): string {
  const members = [
    'created_at',
    'actor_type',
    'actor_id',
    'operation',
    'entity_type',
    'entity_id',
    'outcome',
    'destination',
    'reason',
  ];
  const shown = members.map((name) => entry[name]).filter((value) => value !== undefined && value !== null);
  return [...shown.map(String), plainText(entry['message'] ?? '')].join(' ');
}
