import { type Problems, addProblems, hasProblems, readShape } from '../http/shape.ts';
import type { InputLimits } from '../limits/input-limits.ts';
import type { Side } from './transform-expressions.ts';
import { type TransformType, transformShapes, transformTypes } from './transform-shapes.ts';

export const sides: readonly Side[] = ['request', 'response'];

/** A transform as it was sent, without its code. */
export interface StoredStep {
  readonly type?: TransformType;
  readonly matcher?: string;
  readonly expression?: string;
  readonly replacement?: string;
  readonly options?: {
    readonly identifier?: string;
    readonly token?: unknown;
    readonly value?: unknown;
    readonly location?: string;
  };
}

/** The transforms of one side as they are stored, with the code apart. */
export interface Transforms {
  readonly code: string | null;
  /** One, or a list of them; null for nothing, or one that is code and says no more. */
  readonly steps: StoredStep | readonly StoredStep[] | null;
}

/** Paths of the code in a body. */
export function codePaths(limits: InputLimits, body: unknown): (string | number)[][] {
  const paths: (string | number)[][] = [];
  for (const side of sides) {
    paths.push([`${side}_transform`, 'code']);
    const listed = memberOf(body, `${side}_transforms`);
    const count = Array.isArray(listed) ? Math.min(listed.length, limits.transforms) : 0;
    for (let at = 0; at < count; at += 1) paths.push([`${side}_transforms`, at, 'code']);
  }
  return paths;
}

/** Counts only if there were no problems. */
export function readTransforms(
  limits: InputLimits,
  body: unknown,
  side: Side,
  problems: Problems,
): Transforms {
  const sent = memberOf(body, `${side}_transform`) ?? undefined;
  const single = isNone(sent) ? undefined : sent;
  const listed = memberOf(body, `${side}_transforms`) ?? undefined;
  if (single !== undefined && listed !== undefined) {
    addProblems(problems, { [`${side}_transforms`]: [`must not be given together with ${side}_transform`] });
  }
  if (listed !== undefined) return readList(limits, listed, side, problems);
  if (single === undefined) return { code: null, steps: null };
  const read = readOne(limits, single, side, `${side}_transform`, problems);
  const bare = read.code !== null && read.step.type === undefined;
  return { code: read.code, steps: bare ? null : read.step };
}

/** `{}`: typed clients send it for no transform. */
export function isNone(sent: unknown): boolean {
  return isObject(sent) && Object.values(sent).every((value) => value === null);
}

function readList(limits: InputLimits, listed: unknown, side: Side, problems: Problems): Transforms {
  const name = `${side}_transforms`;
  if (!Array.isArray(listed) || listed.length > limits.transforms) {
    const problem = Array.isArray(listed)
      ? `must have at most ${limits.transforms} items`
      : 'must be an array';
    addProblems(problems, { [name]: [problem] });
    return { code: null, steps: null };
  }
  const read = listed.map((item: unknown, at) => readOne(limits, item, side, `${name}[${at}]`, problems));
  const seen = new Set<string>();
  let code: string | null = null;
  for (const [at, { step, code: own }] of read.entries()) {
    if (own !== null && code !== null) {
      addProblems(problems, { [`${name}[${at}].type`]: ['at most one transform of a list may be code'] });
    }
    code ??= own;
    const identifier = step.options?.identifier;
    if (identifier === undefined) continue;
    if (seen.has(identifier)) {
      addProblems(problems, { [`${name}[${at}].options.identifier`]: ['must be unique in its list'] });
    }
    seen.add(identifier);
  }
  return { code, steps: read.length === 0 ? null : read.map(({ step }) => step) };
}

interface Read {
  readonly step: StoredStep;
  readonly code: string | null;
}

function readOne(limits: InputLimits, item: unknown, side: Side, name: string, problems: Problems): Read {
  const nothing = { step: {}, code: null };
  if (!isObject(item)) {
    addProblems(problems, { [name]: ['must be an object'] });
    return nothing;
  }
  const sent = memberOf(item, 'type') ?? undefined;
  const type = transformTypes[side].find((known) => known === (sent ?? 'code'));
  const shape = type && transformShapes(limits)[side][type];
  if (type === undefined || shape === undefined) {
    addProblems(problems, { [`${name}.type`]: [`must be one of ${transformTypes[side].join(', ')}`] });
    return nothing;
  }
  const own: Problems = {};
  const read = readShape(shape, item, own);
  for (const [path, messages] of Object.entries(own)) {
    addProblems(problems, { [path === '' ? name : `${name}.${path}`]: messages });
  }
  if (read === undefined || hasProblems(own)) return nothing;
  const { code, ...step } = read as StoredStep & { code?: string | null };
  const kept = Object.fromEntries(Object.entries(step).filter(([, value]) => value != null));
  return { step: { ...(sent === undefined ? {} : { type }), ...kept }, code: code ?? null };
}

/** Members of a body as they were sent. */
export function shownTransforms(side: Side, { code, steps }: Transforms): Record<string, unknown> {
  const whole = (step: StoredStep) => (isCode(step) ? { ...step, code } : step);
  if (isList(steps)) return { [`${side}_transforms`]: steps.map(whole) };
  if (steps !== null) return { [`${side}_transform`]: whole(steps) };
  return code === null ? {} : { [`${side}_transform`]: { code } };
}

export function isCode({ type = 'code' }: StoredStep): boolean {
  return type === 'code';
}

export function isList(steps: Transforms['steps']): steps is readonly StoredStep[] {
  return Array.isArray(steps);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
