import { parse } from 'es-module-lexer/js';

const keyword = 'import';

/** Code in which `import(name)` calls a function by a name of its own. */
export interface NamedImports {
  readonly code: string;
  /** As long as the keyword, so that all places stay where they are; undefined when the code imports nothing. */
  readonly importName: string | undefined;
}

/**
 * An isolate has no `import()`, and nothing can give it one: what Node.js 16 offers to a CommonJS module is a function here.
 * Text that is evaluated while the code runs stays without. Code that does not parse is left as it is.
 */
export function nameImports(code: string): NamedImports {
  const found = code.includes(keyword) ? placesOf(code) : [];
  if (found.length === 0) return { code, importName: undefined };
  const importName = unusedName(code);
  let [named, from] = ['', 0];
  for (const place of found) {
    named += code.slice(from, place) + importName;
    from = place + keyword.length;
  }
  return { code: named + code.slice(from), importName };
}

function placesOf(code: string): number[] {
  try {
    const [imports] = parse(code);
    return imports
      .filter(({ type }) => type === 'dynamic')
      .map(({ importStart }) => importStart)
      .toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

function unusedName(code: string): string {
  for (let number = 10_000; ; number += 1) if (!code.includes(`$${number}`)) return `$${number}`;
}
