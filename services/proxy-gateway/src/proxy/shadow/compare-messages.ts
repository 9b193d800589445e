import { framingHeaders, valueOf } from '@glovebox/egress/header-list';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import type { Difference, DifferenceKind } from '@glovebox/published/shadow-figures';

import { headerObject } from '../../http/headers/header-object.ts';
import type { Side } from '../resolve/proxy-invocation.ts';
import type { Message } from '../transform/transformation.ts';
import type { ShownName } from './shown-names.ts';

/** Beyond it a body is compared as a whole: parsing takes time from other requests. */
const mostParsedBytes = 65_536;
const deepest = 8;
/** Differences of one request. */
const most = 20;

/** These say how a body is sent, and not what it says. */
const framing: ReadonlySet<string> = new Set([...framingHeaders, 'transfer-encoding', 'connection']);

/** In what a message of the second version differs from that of the present one; paths hold no value. */
export function compareMessages(
  side: Side,
  present: Message,
  second: Message,
  shown: ShownName,
): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const one of differencesOf(side, present, second, shown)) {
    found.set(`${one.kind} ${one.path}`, one);
    if (found.size === most) break;
  }
  return [...found.values()];
}

function* differencesOf(
  side: Side,
  present: Message,
  second: Message,
  shown: ShownName,
): Generator<Difference> {
  const [headers, others] = [headersOf(present), headersOf(second)];
  yield* differences(headers, others, `/${side}/headers`, 0, shown);
  const [body = empty, other = empty] = [present.body, second.body];
  if (body.equals(other)) return;
  const path = `/${side}/body`;
  if (body.length === 0 || other.length === 0) yield { path, kind: body.length === 0 ? 'added' : 'removed' };
  else {
    const [json, otherJson] = [jsonOf(present), jsonOf(second)];
    if (json === undefined || otherJson === undefined) yield { path, kind: 'value' };
    else yield* differences(json, otherJson, path, 0, shown);
  }
}

const empty = Buffer.alloc(0);

function headersOf({ headers }: Message): Record<string, unknown> {
  const all = Object.entries(headerObject(headers)).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return Object.fromEntries(all.filter(([name]) => !framing.has(name)));
}

/** Undefined for a body that is no JSON, or too long to be parsed here. */
function jsonOf({ headers, body }: Message): unknown {
  if (body === undefined || body.length > mostParsedBytes) return undefined;
  if (bodyGrammar(valueOf(headers, 'content-type')).kind !== 'json') return undefined;
  try {
    const text = body.toString();
    return JSON.parse(text, longNumber.test(text) ? keepDigits : undefined);
  } catch {
    return undefined;
  }
}

const longNumber = /\d{16}/;

/** Numbers that would lose digits are compared by their text. */
const keepDigits = ((_name: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value) as (
  name: string,
  value: unknown,
) => unknown;

function* differences(
  a: unknown,
  b: unknown,
  path: string,
  depth: number,
  shown: ShownName,
): Generator<Difference> {
  if (a === b) return;
  const kind: DifferenceKind = kindOf(a) === kindOf(b) ? 'value' : 'type';
  if (kind === 'type' || !isObject(a) || !isObject(b)) yield { path, kind };
  else if (depth === deepest) {
    if (JSON.stringify(a) !== JSON.stringify(b)) yield { path, kind };
  } else {
    const isList = Array.isArray(a);
    const at = (name: string) => `${path}/${isList ? '*' : shown(name)}`;
    const [old, now] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    for (const [name, value] of old) {
      if (!now.has(name)) yield { path: at(name), kind: 'removed' };
      else yield* differences(value, now.get(name), at(name), depth + 1, shown);
    }
    for (const name of now.keys()) if (!old.has(name)) yield { path: at(name), kind: 'added' };
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
