import { type JsonObject, isObject, plainText } from '../api/json.ts';
import type { CodeFile } from '../files/compile-code.ts';
import { placed, withPlacesWithin } from '../files/show-places.ts';
import { useApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import { CliError } from '../terminal/cli-error.ts';
import { CodePlaces } from './code-places.ts';
import { type Command, folderFlag } from './command.ts';
import { invocationFlags, requestOf } from './invoke.ts';

export const dryRun: Command = {
  name: 'dry-run',
  takes: ['KIND', 'NAME'],
  flags: { ...invocationFlags, ...folderFlag },
  does: 'Says what would happen to an invocation, and lets nothing happen. Exit code 1 if it would be refused.',
  async run(call) {
    const { method, path, sent, resource } = await requestOf(call);
    const headers = { ...sent.headers, 'SVC-Dry-Run': 'true' };
    const api = useApi(loadProfile(call.env, call.text('profile')));
    const { json } = await api.sendOnce(method, path, { ...sent, headers });
    if (!isObject(json) || json['dry_run'] !== true) {
      throw new CliError('this service does not know dry runs, and has carried the request out');
    }
    // Of the response there is nothing to transform.
    const told = inFiles(json, await new CodePlaces(call).filesOf(resource, 'request'));
    call.out.result(told, textOf(told));
    return told['outcome'] === 'refused' ? 1 : 0;
  },
};

/** What was told, with the places of its errors and logs in the files of the folder. */
function inFiles(told: JsonObject, files: readonly CodeFile[]): JsonObject {
  const { error, steps } = told;
  const stepIn = (step: JsonObject): JsonObject => ({
    ...step,
    ...(isObject(step['error']) ? { error: placed(step['error'], files) } : {}),
    ...(step['log'] === undefined ? {} : { log: withPlacesWithin(step['log'], files) }),
  });
  return {
    ...told,
    ...(isObject(error) ? { error: withPlacesWithin(error, files) } : {}),
    ...(Array.isArray(steps) ? { steps: steps.map((step) => (isObject(step) ? stepIn(step) : step)) } : {}),
  };
}

function textOf(told: JsonObject): string {
  const { outcome, error, request, result, steps } = told;
  return [
    plainText(outcome),
    ...(isObject(error) ? [`${plainText(error['code'])}: ${plainText(error['detail'])}`] : []),
    ...(Array.isArray(steps) ? steps.filter(isObject).flatMap(linesOf) : []),
    ...[request, result]
      .filter((shown) => shown !== undefined)
      .map((shown) => JSON.stringify(shown, undefined, 2)),
  ].join('\n');
}

/** A step, and below it what it decided. */
function linesOf({ name, duration_ms: duration, expressions, ...more }: JsonObject): string[] {
  const decided = Array.isArray(expressions) ? expressions.filter(isObject) : [];
  const facts = Object.entries(more).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return [
    `${plainText(name)} (${plainText(duration)} ms)`,
    ...facts.map(([fact, value]) => `    ${fact}: ${plainText(value)}`),
    ...decided.map(
      ({ place, decision, rule, reason, expression, container }) =>
        `    ${[place, decision, ruleOf(rule), reason, container, expression].map(plainText).filter(Boolean).join(' ')}`,
    ),
  ];
}

/** Which rule has decided. */
function ruleOf(rule: unknown): string {
  if (!isObject(rule)) return '';
  const { priority, description } = rule;
  return `by rule ${plainText(priority)}${description === undefined ? '' : ` (${plainText(description)})`}`;
}
