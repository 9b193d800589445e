import { setTimeout as sleep } from 'node:timers/promises';

import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { kindFacts, kinds } from '../files/kinds.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import { interruption } from '../terminal/interrupt.ts';
import type { Call, Command } from './command.ts';

const filters = ['operation', 'outcome', 'destination', 'trace-id', 'actor'] as const;
const followMs = 2000;

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
    size: { type: 'string', value: 'NUMBER', does: 'How many entries to begin with; 20 without it.' },
  },
  does: 'Shows the log: who did what, the newest last.',
  async run(call) {
    const size = Number(call.text('size') ?? '20');
    if (!Number.isInteger(size) || size < 1 || size > 10_000) throw new UsageError('--size is 1 to 10000');
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const query = { ...queryOf(call), entity_id: await subjectId(api, call.text('subject')) };
    const seen = new Set<string>();
    const show = async (limit: number) => {
      const fresh = (await newest(api, query, limit)).filter((entry) => !seen.has(identityOf(entry)));
      for (const entry of fresh.toReversed()) {
        seen.add(identityOf(entry));
        call.out.result(entry, lineOf(entry));
      }
    };
    if (!call.is('follow')) {
      await show(size);
      return 0;
    }
    const signal = interruption();
    await show(size);
    while (!signal.aborted) {
      await sleep(followMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await show(1000);
    }
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
  const names = { 'trace-id': 'trace_id', actor: 'actor_id' } as Record<string, string>;
  return Object.fromEntries(filters.map((flag) => [names[flag] ?? flag, call.text(flag)]));
}

/** Of the kinds that the key may read; an id that is none of them is taken as it is. */
async function subjectId(api: Api, subject: string | undefined): Promise<string | undefined> {
  if (subject === undefined || /^[\da-f]{8}-[\da-f-]{27}$/.test(subject)) return subject;
  const lists = await Promise.all(kinds.map((kind) => listAll(api, kindFacts[kind].path).catch(() => [])));
  const named = lists.flat().filter(({ name }) => name === subject);
  if (named.length !== 1)
    throw new CliError(`${named.length} resources have the name ${subject}; give the id`);
  return plainText(named[0]?.['id']);
}

function identityOf(entry: JsonObject): string {
  return JSON.stringify(entry);
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
