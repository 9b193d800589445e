import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

import { type CodeKind, isRequirable, membersOf, resultMembers } from './code-types.ts';

const mostShown = 50;
const parseMs = 100;
const functions = new Set([
  'ArrowFunction',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodDeclaration',
]);

/** What is surely or probably wrong, without running the code. */
export function problemsOf(kind: CodeKind, state: EditorState): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const text = state.doc.toString();
  const tree = ensureSyntaxTree(state, state.doc.length, parseMs) ?? syntaxTree(state);
  const add = (severity: Diagnostic['severity'], { from, to }: Range, message: string) => {
    if (found.length >= mostShown) return;
    // What is missing has no length; the character before it is marked.
    const marked = to > from ? { from, to } : { from: Math.max(0, from - 1), to: Math.max(from, 1) };
    found.push({ severity, ...marked, message });
  };
  const see = (node: SyntaxNode): void => {
    if (node.type.isError) add('error', node, 'This is not JavaScript: something is missing, or too much.');
    else if (node.name === 'CallExpression') checkRequire(node, text, add);
    else if (node.name === 'MemberExpression') checkMember(kind, node, text, add);
    else if (node.name === 'ObjectExpression' && isResult(node, text)) checkResult(kind, node, text, add);
  };
  tree.iterate({ enter: (reference) => see(reference.node) });
  if (text.trim() !== '' && !/\b(?:module\s*\.\s*)?exports\b/.test(text)) {
    add('error', { from: 0, to: 0 }, 'The code exports no function: module.exports = async (req) => …');
  }
  return found;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type Add = (severity: Diagnostic['severity'], range: Range, message: string) => void;

function checkRequire(call: SyntaxNode, text: string, add: Add): void {
  const callee = call.firstChild;
  const name = call.getChild('ArgList')?.getChild('String');
  if (callee?.name !== 'VariableName' || textOf(callee, text) !== 'require' || name == null) return;
  const wanted = textOf(name, text).slice(1, -1);
  if (!isRequirable(wanted)) add('error', name, `${wanted} is none of the packages that code may require.`);
}

/** Only paths that begin with `req`: others may be anything. */
function checkMember(kind: CodeKind, member: SyntaxNode, text: string, add: Add): void {
  const property = member.getChild('PropertyName');
  const path = member.firstChild === null ? undefined : pathOf(member.firstChild, text);
  if (property === null || path === undefined) return;
  const members = membersOf(kind, path);
  const name = textOf(property, text);
  if (members === undefined || members.some((known) => known.name === name)) return;
  const has = members.map((known) => known.name).join(', ');
  add('warning', property, `${path.join('.')} has no ${name}. It has ${has}.`);
}

function pathOf(node: SyntaxNode, text: string): readonly string[] | undefined {
  if (node.name === 'VariableName') return [textOf(node, text)];
  const property = node.getChild('PropertyName');
  if (node.name !== 'MemberExpression' || property === null || node.firstChild === null) return undefined;
  const before = pathOf(node.firstChild, text);
  return before === undefined ? undefined : [...before, textOf(property, text)];
}

/** Whether the exported function returns this object. */
function isResult(object: SyntaxNode, text: string): boolean {
  let node = object.parent;
  if (node?.name === 'ParenthesizedExpression') node = node.parent;
  if (node?.name === 'ReturnStatement') node = enclosingFunction(node);
  return node !== null && functions.has(node.name) && isExported(node, text);
}

function enclosingFunction(node: SyntaxNode): SyntaxNode | null {
  let around = node.parent;
  while (around !== null && !functions.has(around.name)) around = around.parent;
  return around;
}

function isExported(node: SyntaxNode, text: string): boolean {
  let around = node.parent;
  if (around?.name === 'ParenthesizedExpression') around = around.parent;
  return around?.name === 'AssignmentExpression' && /^module\s*\.\s*exports\s*=/.test(textOf(around, text));
}

function checkResult(kind: CodeKind, object: SyntaxNode, text: string, add: Add): void {
  const known = resultMembers(kind).map(({ name }) => name);
  for (const property of object.getChildren('Property')) {
    const name = property.getChild('PropertyDefinition');
    if (name === null || known.includes(textOf(name, text))) continue;
    add('warning', name, `The result has no ${textOf(name, text)}. It may have ${known.join(', ')}.`);
  }
}

function textOf({ from, to }: Range, text: string): string {
  return text.slice(from, to);
}
