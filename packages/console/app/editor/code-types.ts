import { typescriptLanguage } from '@codemirror/lang-javascript';
import type { SyntaxNode } from '@lezer/common';

import bt from '../../../code-types/bt.d.ts?raw';
import errors from '../../../code-types/errors.d.ts?raw';
import packages from '../../../code-types/packages.d.ts?raw';
import reactor from '../../../code-types/reactor.d.ts?raw';
import transform from '../../../code-types/transform.d.ts?raw';

export interface Member {
  readonly name: string;
  /** As it is written, e.g. `Bt | undefined`. */
  readonly type: string;
  readonly isMethod: boolean;
  /** One line. */
  readonly info: string;
}

/** What the code belongs to: it decides on the types of `req` and of the result. */
export type CodeKind = 'request' | 'response' | 'reactor';

const requests = {
  request: 'RequestTransformRequest',
  response: 'ResponseTransformRequest',
  reactor: 'ReactorRequest',
} as const;
const results = {
  request: 'TransformResult',
  response: 'TransformResult',
  reactor: 'ReactorResult',
} as const;

/** By name; an alias has the members of all its parts. */
const declared = new Map([bt, transform, reactor].flatMap((text) => Array.from(declarationsOf(text))));

/** As `declare module` names them; a name may end with a star. */
const packageNames: readonly string[] = Array.from(
  `${packages}${errors}`.matchAll(/declare module '([^']+)'/g),
  ([, name = '']) => name,
);

/** Modules of Node.js that code may require (docs/user-packages.md). */
const ofNode =
  'assert assert/strict buffer console constants crypto diagnostics_channel events http https os path path/posix path/win32 process punycode querystring stream stream/promises string_decoder sys timers timers/promises url util util/types zlib'.split(
    ' ',
  );

/** All that `require` may name, in order. */
export const requirable: readonly string[] = [
  ...packageNames.filter((name) => !name.includes('*')),
  ...ofNode,
].toSorted();

export function isRequirable(name: string): boolean {
  if (ofNode.includes(name.replace(/^node:/, ''))) return true;
  return packageNames.some((known) =>
    known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name,
  );
}

/** The members of what a path such as `req.args` names; undefined: anything may be in it. */
export function membersOf(kind: CodeKind, path: readonly string[]): readonly Member[] | undefined {
  let members = path[0] === 'req' ? declared.get(requests[kind]) : undefined;
  for (const name of path.slice(1)) {
    const type = members?.find((member) => member.name === name && !member.isMethod)?.type ?? '';
    const named = type.split('|').map((part) => declared.get(part.trim()));
    members = named.find((known) => known !== undefined);
  }
  return members;
}

/** What code may return. */
export function resultMembers(kind: CodeKind): readonly Member[] {
  return declared.get(results[kind]) ?? [];
}

function declarationsOf(text: string): Map<string, readonly Member[]> {
  const found = new Map<string, readonly Member[]>();
  const top = typescriptLanguage.parser.parse(text).topNode;
  for (let node = top.firstChild; node !== null; node = node.nextSibling) {
    const name = node.getChild('TypeDefinition');
    if (name === null) continue;
    const members: Member[] = [];
    collect(node, text, members);
    // What may have any name is open.
    if (members.length > 0) found.set(text.slice(name.from, name.to), members);
  }
  return found;
}

function collect(node: SyntaxNode, text: string, members: Member[]): void {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    const name = child.getChild('PropertyDefinition');
    const isMethod = child.name === 'MethodType';
    if (name === null || !(isMethod || child.name === 'PropertyType')) {
      if (child.name === 'ObjectType' || child.name === 'UnionType') collect(child, text, members);
      continue;
    }
    const annotation = child.getChild('TypeAnnotation');
    const known = text.slice(name.from, name.to);
    if (members.some((member) => member.name === known)) continue;
    members.push({
      name: known,
      type: annotation === null ? '' : text.slice(annotation.from + 1, annotation.to).trim(),
      isMethod,
      info: commentBefore(child, text),
    });
  }
}

function commentBefore({ prevSibling }: SyntaxNode, text: string): string {
  if (prevSibling?.name !== 'BlockComment') return '';
  return text
    .slice(prevSibling.from, prevSibling.to)
    .replaceAll(/^\/\*\*|\*\/$|^\s*\*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
