import { framingHeaders, valueOf } from '@glovebox/egress/header-list';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import {
  boundedDifferences,
  compareJson,
  mostParsedBytes,
  parseExactly,
} from '@glovebox/published/compare-json';
import type { Difference } from '@glovebox/published/shadow-figures';
import type { ShownName } from '@glovebox/published/shown-names';

import { headerObject } from '../../http/headers/header-object.ts';
import type { Side } from '../resolve/proxy-invocation.ts';
import type { Message } from '../transform/transformation.ts';

/** These say how a body is sent, and not what it says. */
const framing: ReadonlySet<string> = new Set([...framingHeaders, 'transfer-encoding', 'connection']);

/** In what a message of the second version differs from that of the present one; paths hold no value. */
export function compareMessages(
  side: Side,
  present: Message,
  second: Message,
  shown: ShownName,
): readonly Difference[] {
  return boundedDifferences(differencesOf(side, present, second, shown));
}

function* differencesOf(
  side: Side,
  present: Message,
  second: Message,
  shown: ShownName,
): Generator<Difference> {
  const [headers, others] = [headersOf(present), headersOf(second)];
  yield* compareJson(headers, others, `/${side}/headers`, shown);
  const [body = empty, other = empty] = [present.body, second.body];
  if (body.equals(other)) return;
  const path = `/${side}/body`;
  if (body.length === 0 || other.length === 0) yield { path, kind: body.length === 0 ? 'added' : 'removed' };
  else {
    const [json, otherJson] = [jsonOf(present), jsonOf(second)];
    if (json === undefined || otherJson === undefined) yield { path, kind: 'value' };
    else yield* compareJson(json, otherJson, path, shown);
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
    return parseExactly(body.toString());
  } catch {
    return undefined;
  }
}
