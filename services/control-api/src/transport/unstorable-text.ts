import type { FieldProblems } from '@glovebox/platform/errors/app-error';

/** Only an escape can bring these into valid JSON in valid UTF-8. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/**
 * Strings that the database can't hold as they are: U+0000, and halves of a surrogate pair, which would silently
 * become another character. Undefined when there are none.
 */
export function unstorableText(text: string, value: unknown): FieldProblems | undefined {
  if (!suspicious.test(text)) return undefined;
  const problems: Record<string, string[]> = {};
  search(value, '', problems);
  return Object.keys(problems).length === 0 ? undefined : problems;
}

/** Recursive: the nesting of a body is checked before. */
function search(value: unknown, path: string, problems: Record<string, string[]>): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) problems[path] = ['must not contain U+0000 or half of a surrogate pair'];
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const isArray = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) {
      problems[path === '' ? 'body' : path] = [
        'must not have a name with U+0000 or half of a surrogate pair in it',
      ];
    } else {
      search(member, isArray ? `${path}[${name}]` : joinPath(path, name), problems);
    }
  }
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
