import type { FieldProblems } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type InputLimits, perLimits } from '../limits/input-limits.ts';

const maxReportedProblems = 100;
const maxNameInPath = 60;

export type Problems = Record<string, string[]>;

/** A shape's value, or undefined after its problems were added to the others. */
export function readShape<T>(shape: z.ZodType<T>, body: unknown, problems: Problems): T | undefined {
  const outcome = shape.safeParse(body);
  if (outcome.success) return outcome.data;
  for (const issue of outcome.error.issues.slice(0, maxReportedProblems)) {
    const path = pathOf(issue.path);
    const messages = issue.code === 'invalid_key' ? issue.issues.map((key) => key.message) : [issue.message];
    (problems[path] ??= []).push(...messages);
  }
  return undefined;
}

/** Reads each member of a shape by itself: those that are in order count, whatever is wrong with others. */
export function memberReader<Members extends z.ZodRawShape>(
  shape: z.ZodObject<Members>,
): (body: unknown, problems: Problems) => Partial<z.infer<z.ZodObject<Members>>> {
  const members = Object.entries(shape.shape).map(([name, member]) => z.object({ [name]: member }));
  return (body, problems) =>
    Object.assign({}, ...members.map((member) => readShape(member, body, problems))) as Partial<
      z.infer<z.ZodObject<Members>>
    >;
}

export function addProblems(problems: Problems, more: FieldProblems): void {
  for (const [path, messages] of Object.entries(more)) (problems[path] ??= []).push(...messages);
}

export function hasProblems(problems: Problems): boolean {
  return Object.keys(problems).length > 0;
}

/** `rules[0].container` */
export function pathOf(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${String(part).slice(0, maxNameInPath)}`;
  }
  return text;
}

/** One message for an absent or null value, another for a wrong type. */
export function required(wrongType: string) {
  return { error: ({ input }: { input?: unknown }) => (input == null ? 'is required' : wrongType) };
}

/** Any UUID, in either case. */
export const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const uuid = z.string(required('must be a UUID')).regex(uuidPattern, 'must be a UUID').toLowerCase();

/** Of whatever has a name (contract/limits.md#field-bounds). */
export const resourceName = perLimits(({ nameLength }) =>
  z
    .string(required('must be a string'))
    .min(1, 'must not be empty')
    .max(nameLength, `must be at most ${nameLength} characters long`)
    .regex(/^.*$/, 'must not contain line breaks'),
);

/** Of a transform or a formula. */
export const sourceCode = perLimits(({ codeLength }) =>
  z
    .string(required('must be a string'))
    .min(1, 'must not be empty')
    .max(codeLength, `must be at most ${codeLength} characters long`),
);

/** With too many items, no item is read. */
export function list<Item extends z.ZodType>(maxItems: number, item: Item) {
  return z
    .array(z.unknown(), 'must be an array')
    .max(maxItems, { error: `must have at most ${maxItems} items`, abort: true })
    .pipe(z.array(item));
}

/** An object whose values are strings, or whatever `value` lets in. */
export function textMap<Value extends z.ZodType>(
  { nameLength }: InputLimits,
  maxEntries: number,
  value: Value,
) {
  const name = z
    .string()
    .min(1, 'must have a name')
    .max(nameLength, `must have a name of at most ${nameLength} characters`);
  // zod builds objects by assignment, which loses an entry of this name.
  const withoutProto = z.unknown().refine((entries) => !Object.hasOwn(Object(entries), '__proto__'), {
    error: 'must not have an entry named __proto__',
    abort: true,
  });
  const entries = z.record(z.string(), z.unknown(), required('must be an object'));
  return withoutProto
    .pipe(entries)
    .refine((entries) => Object.keys(entries).length <= maxEntries, {
      error: `must have at most ${maxEntries} entries`,
      abort: true,
    })
    .pipe(z.record(name, value));
}
