import { AppError } from '@glovebox/platform/errors/app-error';
import type { Finding } from '@glovebox/platform/http/warnings';

import type { Call } from '../http/call.ts';
import { type Problems, pathOf, sourceCode } from '../http/shape.ts';
import type { InputLimits } from '../limits/input-limits.ts';

/** A request that may hold code. */
export type CodeCall = Pick<Call, 'principal' | 'body' | 'correlationId' | 'warnings'>;

/**
 * What is wrong with the code at some paths of a body. What is absent or no text of a permitted length is left to
 * the body's own shape. Code that parses, and yet could not be run, is a warning: clients save placeholders.
 * @throws AppError `unavailable` when nobody can say: code that was not checked is not stored; `strict`.
 */
export async function codeProblems(
  { compiler, inputLimits: limits }: { readonly compiler: Compiler; readonly inputLimits: InputLimits },
  { principal: { tenantId }, body, correlationId, warnings }: CodeCall,
  paths: readonly (readonly (string | number)[])[],
): Promise<Problems> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const code = sourceCode(limits).safeParse(valueAt(body, path)).data;
      if (code === undefined) return undefined;
      return { path: pathOf(path), checked: await compiler.check(code, { tenantId, correlationId }) };
    }),
  );
  const checks = found.filter((one) => one !== undefined);
  const wrong = checks.filter(({ checked }) => checked.problems.length > 0);
  if (wrong.length === 0) warnings.add(checks.flatMap((one) => findingsOf(one, warnings.strict)));
  return Object.fromEntries(wrong.map(({ path, checked }) => [path, [...checked.problems]]));
}

function findingsOf(
  { path, checked: { loading, untried } }: { readonly path: string; readonly checked: CheckedCode },
  strict: boolean,
): Finding[] {
  if (untried === true && strict) {
    throw new AppError(
      'unavailable',
      'The runner has no time to load the code, which a strict request needs.',
    );
  }
  return loading === undefined ? [] : [{ path, problem: loading, warning: `${path}: ${loading}` }];
}

function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  let value = body;
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** What says whether code can be stored: the runner, in whose processes alone tenants' code is touched. */
export interface Compiler {
  /** @throws AppError `unavailable` */
  check(
    code: string,
    of: { readonly tenantId: string; readonly correlationId: string },
  ): Promise<CheckedCode>;
}

export interface CheckedCode {
  /** All that is wrong with it, with line and column; empty when it parses. */
  readonly problems: readonly string[];
  /** Why it could not be run, though it parses; undefined when it loads. */
  readonly loading?: string | undefined;
  /** Nobody had the time to load it. */
  readonly untried?: boolean;
}
