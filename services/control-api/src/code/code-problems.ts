import { AppError } from '@glovebox/platform/errors/app-error';
import type { Finding } from '@glovebox/platform/http/warnings';

import type { Call } from '../http/call.ts';
import { type Problems, pathOf, sourceCode } from '../http/shape.ts';
import type { InputLimits } from '../limits/input-limits.ts';

/** A request that may hold code. */
export type CodeCall = Pick<Call, 'principal' | 'body' | 'correlationId' | 'warnings'>;

/**
 * The problems of the code at some paths of a body. The body's shape reports code that is absent, no text or too
 * long. Code that parses and does not load is a warning, because clients save placeholders.
 * @throws AppError `unavailable` when the runner cannot check it: unchecked code is not stored; `strict`
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

/** Checks code before it is stored. The runner implements it: only its processes parse tenants' code. */
export interface Compiler {
  /** @throws AppError `unavailable` */
  check(
    code: string,
    of: { readonly tenantId: string; readonly correlationId: string },
  ): Promise<CheckedCode>;
}

export interface CheckedCode {
  /** Syntax errors with line and column; empty when it parses. */
  readonly problems: readonly string[];
  /** Why code that parses does not load; undefined when it loads. */
  readonly loading?: string | undefined;
  /** The runner had no time to load it. */
  readonly untried?: boolean;
}
