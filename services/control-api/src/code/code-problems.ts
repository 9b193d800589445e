import { type Problems, pathOf, sourceCode } from '../http/shape.ts';
import type { InputLimits } from '../input-limits.ts';
import type { Compiler } from './compiler.ts';

/**
 * What is wrong with the code at some paths of a body. What is absent or no text of a permitted length is left to
 * the body's own shape.
 * @throws AppError `unavailable` when nobody can say: code that was not checked is not stored.
 */
export async function codeProblems(
  { compiler, inputLimits: limits }: { readonly compiler: Compiler; readonly inputLimits: InputLimits },
  body: unknown,
  paths: readonly (readonly (string | number)[])[],
  correlationId: string,
): Promise<Problems> {
  const found = await Promise.all(
    paths.map(async (path): Promise<[string, string[]]> => {
      const code = sourceCode(limits).safeParse(valueAt(body, path)).data;
      const problems = code === undefined ? [] : await compiler.problemsOf(code, correlationId);
      return [pathOf(path), [...problems]];
    }),
  );
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  let value = body;
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}
