import { readOpenApiDocument } from '@glovebox/openapi/document';
import type { Parameter } from '@glovebox/openapi/openapi-document';

import { type Answer, type Json, type Sent, send } from '../api.ts';
import type { PublicOperation } from '../public-operations.ts';
import { until } from '../until.ts';
import { shapeDifferences } from './shape.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

/** What examples of bodies write for what the story has made. */
const written: readonly (readonly [text: string, kept: string])[] = [
  ['7b1fd06a-2b9b-4a52-bf8c-0a6f6e9a1c54', 'token'],
  ['3b0f7c4e-1a93-4d5c-9f59-9a8f4f4f6b21', 'formula'],
  ['2Yb7NcWm5HsZd8kT3vXqLr', 'nonce'],
  ['https://ledger.example.org', 'destination'],
];

/** Which stages a request went through, and which types of tokens there are. */
const free = new Set(['stages', 'metrics_by_type']);
/** A key may have been used meanwhile. */
const perhaps = /\b(?:last_used_at|requests_per_minute) is answered, and not shown$/;

const { components, paths } = readOpenApiDocument();

/**
 * Sends each documented request of an operation. Its answer must be as described, and have the shape of the documented one.
 *
 * @throws Error that names the differences
 */
export async function sendExamples(one: PublicOperation, step: Step, world: World): Promise<void> {
  await step.first?.(world);
  const target = targetOf(one, step, world);
  const bodies = Object.entries(one.operation.requestBody?.content ?? {});
  for (const [type, content] of bodies.length === 0 ? [['', undefined] as const] : bodies) {
    const body = content === undefined ? { headers: {} } : bodyOf(type, content.example, world);
    const headers = { ...body.headers, ...headersOf(step, world) };
    const sent = { ...body, headers, ...keyOf(one, step, world) };
    if (step.endless) compare(one, step, await firstEvent(world.base + target, sent));
    else
      compare(
        one,
        step,
        await answerTo(one, step, world, () => send(world.base, one.method.toUpperCase(), target, sent)),
      );
  }
}

/** The answer, kept for later steps; of what comes later, the first that is as shown, or else the last. */
async function answerTo(
  one: PublicOperation,
  step: Step,
  world: World,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await ask();
  if (step.later) {
    const isThere = async () => differencesOf(one, step, (answer = await ask())).length === 0;
    await until('it is as shown', isThere, 5000).catch(() => undefined);
  }
  keep(step, world, answer);
  return answer;
}

type Shown = Pick<Answer, 'status' | 'text'>;

function compare(one: PublicOperation, step: Step, answer: Shown): void {
  const differences = differencesOf(one, step, answer);
  if (differences.length === 0) return;
  const list = differences.map((difference) => `  - ${difference}`).join('\n');
  throw new Error(`the answer is not as its example shows:\n${list}\n${answer.text.slice(0, 2500)}`);
}

function differencesOf({ operation }: PublicOperation, step: Step, { status, text }: Shown): string[] {
  const named = operation.responses[status];
  if (status >= 300 || named === undefined) return [`the status is ${status}`];
  const described = '$ref' in named ? components.responses[named.$ref.split('/').at(-1)!] : named;
  const [content] = Object.values(described?.content ?? {});
  if (content === undefined) return text === '' ? [] : ['no body is shown'];
  const pairs = pairsOf(content.example, text);
  const all = pairs
    .flatMap(([example, answered]) => shapeDifferences(example, answered, free))
    .filter((difference) => !perhaps.test(difference));
  const madeHere = all.filter(
    (difference) => !step.lacks?.some((path) => difference.startsWith(`${path} is shown`)),
  );
  return step.excerpt
    ? madeHere.filter((difference) => !difference.endsWith('is answered, and not shown'))
    : madeHere;
}

/** A text may be JSON, lines of JSON, or anything that begins as it is shown. */
function pairsOf(example: unknown, text: string): (readonly [unknown, unknown])[] {
  if (typeof example !== 'string') return [[example, JSON.parse(text)]];
  if (example.startsWith('<')) return [[example, text.startsWith(example) ? text : undefined]];
  return [[linesOf(example), linesOf(text)]];
}

function linesOf(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.includes('{'));
  return lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown);
}

function targetOf({ path, operation }: PublicOperation, step: Step, world: World): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const wanted = step.path?.[name];
    return wanted === undefined ? documented(path, name, operation) : (world.kept.get(wanted) ?? wanted);
  });
  return fill(named + (step.query ?? ''), world);
}

function documented(path: string, name: string, operation: PublicOperation['operation']): string {
  const all = [...(paths[path]?.parameters ?? []), ...(operation.parameters ?? [])];
  const found = all
    .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1)!] : one))
    .find((one): one is Parameter => one?.name === name && one.in === 'path');
  return String(found?.example);
}

function headersOf(step: Step, world: World): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value, world)]),
  );
}

function fill(text: string, { kept }: World): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => kept.get(name) ?? name);
}

function bodyOf(
  type: string,
  example: unknown,
  { kept }: World,
): Pick<Sent, 'body'> & { headers: Record<string, string> } {
  let text = typeof example === 'string' ? example : JSON.stringify(example);
  for (const [shown, name] of written) text = text.replaceAll(shown, kept.get(name) ?? shown);
  return { headers: { 'Content-Type': type === '*/*' ? 'application/json' : type }, body: text };
}

function keyOf(
  { permission, isOfGateway }: PublicOperation,
  step: Step,
  { tenant, kept }: World,
): Pick<Sent, 'key'> {
  if (permission === 'none') return {};
  const which = step.key ?? (isOfGateway ? 'private' : 'management');
  if (which === 'application' || which === 'masking') return { key: kept.get(`${which}Key`) ?? '' };
  return { key: tenant[`${which}_api_key`] };
}

function keep(step: Step, world: World, { json }: Answer): void {
  for (const [name, path] of Object.entries(step.keep ?? {}))
    world.kept.set(
      name,
      path.split('.').reduce<Json>((value, member) => value?.[member], json),
    );
}

/** The first event of a stream, up to its end. */
async function firstEvent(url: string, { key = '', headers = {} }: Sent): Promise<Shown> {
  const ended = new AbortController();
  const { status, body } = await fetch(url, {
    headers: { ...headers, 'SVC-API-KEY': key },
    signal: ended.signal,
  });
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/^data: .*\n\n/m.test(text)) break;
  }
  ended.abort();
  return { status, text };
}
