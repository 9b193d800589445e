import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { type CodeFile, codeCompiler, isTypeScript } from '../files/compile-code.ts';
import { placed, withPlacesWithin } from '../files/show-places.ts';
import { idOf } from '../plan/find.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import { interruption } from '../terminal/interrupt.ts';
import { readInput, readJson } from '../terminal/read-input.ts';
import { changesOf } from '../terminal/watch-files.ts';
import type { Call, Command } from './command.ts';
import { showFailure } from './show-failure.ts';
import { compareWithSnapshot } from './snapshot.ts';

export const tryCode: Command = {
  name: 'try',
  takes: ['FILE'],
  flags: {
    event: {
      type: 'string',
      value: 'FILE',
      does: 'JSON `{"args": …}`: what `req.args` is; `-` is standard input.',
    },
    configuration: { type: 'string', value: 'FILE', does: 'JSON: what `req.configuration` is.' },
    reactor: { type: 'boolean', does: 'The code is of a reactor or formula, not of a transform.' },
    side: { type: 'string', value: 'SIDE', does: '`request` or `response`; the result is judged by it.' },
    application: { type: 'string', value: 'NAME', does: 'The application as which `req.bt` acts.' },
    network: { type: 'boolean', does: 'The code may call out, and `req.bt` **really acts**.' },
    watch: { type: 'boolean', does: 'Tries again after each change of its files, until Ctrl-C.' },
    snapshot: {
      type: 'string',
      value: 'FILE',
      does: 'The expected outcome, result and log. Written if it is missing, but not where `CI` is set.',
    },
    update: { type: 'boolean', does: 'Writes the snapshot anew.' },
  },
  does: 'Runs code that is not stored, in the sandbox of production. Exit code 1 unless it succeeds, or is as its snapshot says.',
  async run(call) {
    const [file = ''] = call.words;
    const inputs = [file, call.text('event'), call.text('configuration')];
    const files = inputs.filter((input) => input !== undefined);
    if (call.is('update') && call.text('snapshot') === undefined)
      throw new UsageError('--update is for --snapshot');
    if (!call.is('watch')) return tryOnce(call, file);
    if (files.includes('-')) throw new UsageError('--watch needs files, not standard input');
    for await (const _change of changesOf(files, interruption())) {
      await tryOnce(call, file).catch((error: unknown) => showFailure(error, 'glovebox try FILE', call.out));
    }
    return 0;
  },
};

async function tryOnce(call: Call, file: string): Promise<number> {
  const compile = await codeCompiler(isTypeScript(file));
  const code = compile(file, readInput(file));
  const trial = inFile(await send(call, code.code), code);
  call.out.result(trial, textOf(trial));
  const snapshot = call.text('snapshot');
  if (snapshot === undefined) return trial['outcome'] === 'returned' ? 0 : 1;
  const mayWrite = call.is('update') ? 'always' : call.env['CI'] === undefined ? 'if-missing' : 'never';
  return compareWithSnapshot(trial, snapshot, mayWrite, call.out) ? 0 : 1;
}

function inFile(trial: JsonObject, file: CodeFile): JsonObject {
  const { error, log } = trial;
  return {
    ...trial,
    ...(isObject(error) ? { error: placed(error, [file]) } : {}),
    ...(log === undefined ? {} : { log: withPlacesWithin(log, [file]) }),
  };
}

async function send(call: Call, code: string): Promise<JsonObject> {
  const api = managementApi(loadProfile(call.env, call.text('profile')));
  const application = call.text('application');
  const body = {
    code,
    ...inputOf(call),
    ...(application === undefined
      ? {}
      : { application: { id: idOf('applications', await listAll(api, '/applications'), application) } }),
  };
  const path = call.is('reactor') ? '/reactor-formulas/try' : '/proxies/try';
  const { json } = await api.send('POST', path, { body });
  if (!isObject(json)) throw new CliError('there was no result in the answer');
  return json;
}

function inputOf(call: Call): Readonly<Record<string, unknown>> {
  const side = call.text('side');
  const event = call.text('event');
  const configuration = call.text('configuration');
  if (side !== undefined && call.is('reactor')) throw new UsageError('--side is for transforms');
  return {
    event: event === undefined ? {} : readJson(event),
    ...(configuration === undefined ? {} : { configuration: readJson(configuration) }),
    ...(side === undefined ? {} : { side }),
    ...(call.is('network') ? { network: true } : {}),
  };
}

function textOf(trial: JsonObject): string {
  const { outcome, result, error, log, duration_ms: duration } = trial;
  const lines = [`${plainText(outcome)} in ${plainText(duration)} ms`];
  if (isObject(error)) {
    const place =
      typeof error['line'] === 'number'
        ? `${plainText(error['file'] ?? 'main.js')}:${error['line']}:${plainText(error['column'] ?? 1)}: `
        : '';
    lines.push(
      `${place}${plainText(error['name'])}: ${plainText(error['message'])}`,
      plainText(error['frame'] ?? ''),
    );
  }
  const reached = trial['tried_to_reach'];
  if (Array.isArray(reached) && reached.length > 0)
    lines.push(`refused: ${reached.map(plainText).join(', ')}`);
  if (log !== undefined && log !== null && log !== '')
    lines.push(typeof log === 'string' ? log : JSON.stringify(log, undefined, 2));
  if (result !== undefined) lines.push(JSON.stringify(result, undefined, 2));
  return lines.filter(Boolean).join('\n');
}
