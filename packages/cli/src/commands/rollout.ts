import { randomUUID } from 'node:crypto';

import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Call, Command } from './command.ts';
import { kindOf, pathOfNamed } from './subjects.ts';
import { checkVersion } from './versions.ts';

export const rollout: Command = {
  name: 'rollout',
  takes: ['KIND', 'NAME'],
  flags: {
    version: { type: 'string', value: 'NUMBER', does: 'The version that a share of the requests gets.' },
    percent: { type: 'string', value: 'SHARE', does: 'The share, from 0 to 100.' },
    shadow: {
      type: 'boolean',
      does: 'It serves nobody: it is tried on the share, and the results are compared.',
    },
    by: { type: 'string', value: 'HOW', does: '`random`, or `header:NAME` to decide by a header.' },
    'error-rate': { type: 'string', value: 'RATE', does: 'It stops when more requests fail, from 0 to 1.' },
    'min-requests': { type: 'string', value: 'NUMBER', does: 'But not before so many; 100 without it.' },
    complete: { type: 'boolean', does: 'Makes the version the present one.' },
    end: { type: 'boolean', does: 'Ends the rollout: everybody gets the present version.' },
  },
  does: 'Shows the rollout of a proxy or reactor, or sets, completes or ends it.',
  async run(call) {
    const [word = '', name = ''] = call.words;
    const kind = kindOf(word, ['proxies', 'reactors']);
    const step = stepOf(call);
    const api = managementApi(loadProfile(call.env, call.text('profile')));
    const path = `${await pathOfNamed(api, kind, name)}/rollout`;
    const now = await take(api, path, step);
    call.out.result(
      now ?? { ended: true },
      now === undefined ? `the rollout of ${name} has ended` : textOf(now),
    );
    return 0;
  },
};

type Step = 'show' | 'complete' | 'end' | JsonObject;

/** @throws UsageError */
function stepOf(call: Call): Step {
  const settings = ['version', 'percent', 'by', 'error-rate', 'min-requests'];
  const isSet = call.is('shadow') || settings.some((flag) => call.text(flag) !== undefined);
  const [complete, end] = [call.is('complete'), call.is('end')];
  if (Number(isSet) + Number(complete) + Number(end) > 1)
    throw new UsageError('a rollout is set, completed or ended');
  if (complete) return 'complete';
  if (end) return 'end';
  if (!isSet) return 'show';
  const [version, percent] = [call.text('version'), call.text('percent')];
  if (version === undefined || percent === undefined)
    throw new UsageError('--version and --percent are required to set a rollout');
  const by = call.text('by');
  const errorRate = call.text('error-rate');
  if (errorRate === undefined && call.text('min-requests') !== undefined)
    throw new UsageError('--min-requests is for --error-rate');
  return {
    version: Number(checkVersion(version)),
    percent: numberOf('percent', percent),
    ...(call.is('shadow') ? { mode: 'shadow' } : {}),
    ...(by === undefined ? {} : { by }),
    ...(errorRate === undefined
      ? {}
      : { stop_when: stopWhen(errorRate, call.text('min-requests') ?? '100') }),
  };
}

function stopWhen(errorRate: string, minRequests: string): JsonObject {
  return {
    error_rate: numberOf('error-rate', errorRate),
    min_requests: numberOf('min-requests', minRequests),
  };
}

function numberOf(flag: string, text: string): number {
  if (!/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) throw new UsageError(`--${flag} is a number`);
  return Number(text);
}

/** @returns the rollout afterwards; undefined when it has ended */
async function take(api: Api, path: string, step: Step): Promise<JsonObject | undefined> {
  if (step === 'show') return api.read(path);
  const idempotencyKey = randomUUID();
  if (step === 'end') {
    await api.send('DELETE', path, { idempotencyKey });
    return undefined;
  }
  const { json } =
    step === 'complete'
      ? await api.send('POST', `${path}/complete`, { idempotencyKey })
      : await api.send('PUT', path, { body: step, idempotencyKey });
  if (!isObject(json)) throw new CliError('the answer is no rollout');
  return json;
}

/** One line for the rollout, one for each version, and those of a shadow. */
function textOf(now: JsonObject): string {
  const versions = Array.isArray(now['versions']) ? now['versions'].filter(isObject) : [];
  const figures = versions.map((one) =>
    ['version', 'requests', 'errors', 'p50_ms', 'p99_ms']
      .map((member) => `${member} ${plainText(one[member] ?? '-')}`)
      .join('\t'),
  );
  const state = [now['state'], now['reason']].filter((part) => part !== undefined).map(plainText);
  const doing = now['mode'] === 'shadow' ? 'are tried on' : 'get';
  const share = `${plainText(now['percent'])} % by ${plainText(now['by'])} ${doing} version ${plainText(now['version'])}`;
  return [`${state.join(': ')}\t${share}`, ...figures, ...shadowTexts(now['shadow'])].join('\n');
}

function shadowTexts(shadow: unknown): readonly string[] {
  if (!isObject(shadow)) return [];
  const found = Array.isArray(shadow['differences']) ? shadow['differences'].filter(isObject) : [];
  const differences = found.map((one) =>
    ['count', 'kind', 'path'].map((member) => plainText(one[member] ?? '-')).join('\t'),
  );
  const counts = ['compared', 'equal', 'skipped'].map(
    (member) => `${member} ${plainText(shadow[member] ?? 0)}`,
  );
  return [counts.join('\t'), ...differences];
}
