import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { allowList } from '@glovebox/user-packages/allow-list';

/** An interface or a type of a `.d.ts`, with its comment. */
export interface Declaration {
  readonly name: string;
  readonly about: string;
  /** As it is written, for a type. */
  readonly text: string;
  readonly members: readonly Member[];
}

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  readonly about: string;
}

/** Reads what packages/code-types declares. The formatter keeps it in one shape, so no parser is needed. */
export function declarationsOf(file: string): Declaration[] {
  const text = readFileSync(join(checkout, 'packages/code-types', file), 'utf8');
  const found = text.matchAll(
    /^\/\*\*((?:(?!\*\/).)*)\*\/\n(?:interface (\w+)[^{]*\{\n(.*?)^\}|type (\w+) =(.*?);\n(?=\n|$))/gms,
  );
  return [...found].map(([, about = '', name, body = '', typeName = '', type = '']) => ({
    name: name ?? typeName,
    about: plain(about),
    text: type.replaceAll(/\s+/g, ' ').trim(),
    members: membersOf(body),
  }));
}

function membersOf(body: string): Member[] {
  const found = body.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+)(\??)((?:[:<(]).*?);\n(?= {2}\/\*\*|$(?![^]))/gms,
  );
  return [...found].map(([, about = '', name = '', optional, type = '']) => ({
    name,
    isOptional: optional === '?',
    type: type.replace(/^: /, '').replaceAll(/\s+/g, ' ').replace('( ', '(').replace(', )', ')'),
    about: plain(about),
  }));
}

function plain(comment: string): string {
  return comment.replaceAll(/\n\s*\* ?/g, ' ').trim();
}

/** packages/code-types/packages.d.ts: that the packages exist, with their versions, without their types. */
export function renderPackageTypes(): string {
  const hasTypes = (name: string) => name.includes('reactor-');
  const lines = allowList.flatMap(({ name, version, why, paths = [], aliases = [] }) =>
    [name, ...paths.map((path) => `${name}/${path}`), ...aliases]
      .filter((module) => !hasTypes(module))
      .map((module) => `/** ${version ?? 'Ours'}: ${why}. */\ndeclare module '${module}';\n`),
  );
  return `// Made by \`npm run reference\` from packages/user-packages/src/allow-list.ts.\n\n${lines.join('\n')}`;
}

/** docs/code.md with its tables made anew: each is between `<!-- types: <file> -->` and `<!-- end -->`. */
export function renderCodePage(page: string): string {
  return page.replaceAll(
    /(<!-- types: ([a-z.]+) -->\n).*?(<!-- end -->)/gs,
    (_, start: string, file: string, end: string) =>
      `${start}\n${declarationsOf(file).map(section).join('\n')}\n${end}`,
  );
}

function section({ name, about, text, members }: Declaration): string {
  const heading = `### ${name}\n\n${about}\n`;
  if (members.length === 0) return `${heading}\n\`\`\`ts\ntype ${name} = ${text};\n\`\`\`\n`;
  const rows = members.map(
    (member) =>
      `| \`${member.name}${member.isOptional ? '?' : ''}\` | \`${member.type.replaceAll('|', String.raw`\|`)}\` | ${member.about} |`,
  );
  return `${heading}\n| member | type | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
