import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';

import { type CodeKind, type Member, membersOf, requirable, resultMembers } from './code-types.ts';

const place = (name: string) => `\${${name}}`;
const requirement = `const ${place('name')} = require('${place('')}');`;

/** Completes `req` with what it has, `require` with what there is, and an empty file with a function. */
export function completionOf(kind: CodeKind) {
  return (context: CompletionContext): CompletionResult | null =>
    requiredPackages(context) ?? membersOfPath(kind, context) ?? beginning(kind, context);
}

function requiredPackages(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/require\(\s*['"][^'"]*/);
  if (typed === null) return null;
  const from = typed.from + typed.text.search(/['"]/) + 1;
  return { from, options: requirable.map((label) => ({ label })), validFor: /^[\w@/.-]*$/ };
}

function membersOfPath(kind: CodeKind, context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/[\w$]+(?:\??\.[\w$]*)+/);
  if (typed === null) return null;
  const path = typed.text.split(/\??\./);
  const last = path.pop() ?? '';
  const options = membersOf(kind, path)?.map(optionOf);
  return options === undefined ? null : { from: context.pos - last.length, options, validFor: /^[\w$]*$/ };
}

function optionOf({ name, type, isMethod, info }: Member): Completion {
  return { label: name, apply: isMethod ? `${name}(` : name, detail: isMethod ? '()' : type, info };
}

function beginning(kind: CodeKind, context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/[\w$]+/);
  if (typed === null && !context.explicit) return null;
  const result = resultMembers(kind)[0]?.name ?? 'body';
  const options = [
    { label: 'req', info: 'What the code receives' },
    snippetCompletion(`module.exports = async (req) => {\n  return { ${result}: \${} };\n};`, {
      label: 'module.exports',
      detail: 'a function',
    }),
    snippetCompletion(requirement, { label: 'require', detail: 'a package' }),
  ];
  return { from: typed?.from ?? context.pos, options, validFor: /^[\w$]*$/ };
}
