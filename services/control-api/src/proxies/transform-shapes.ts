import * as z from 'zod';

import { required, sourceCode } from '../http/shape.ts';
import { type ExpressionPlace, type Side, expressionProblem } from './transform-expressions.ts';
import { patternProblem } from './transform-pattern.ts';

/** What a request may name of a transform (api-facts 5.9). */
export type TransformType = 'code' | 'mask' | 'tokenize' | 'append_json' | 'append_text' | 'append_header';

export const transformTypes = {
  request: ['code', 'tokenize'],
  response: ['code', 'mask', 'tokenize', 'append_json', 'append_text', 'append_header'],
} as const satisfies Record<Side, readonly TransformType[]>;

const absent = z.null('is not allowed for this type').optional();
const maxValueLength = 50_000;

const expressionsOf = (place: ExpressionPlace) => (text: string, context: z.RefinementCtx) => {
  const problem = expressionProblem(text, place);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
};

/** JSON whose strings may hold expressions. */
const jsonOf = (place: ExpressionPlace) => (value: unknown, context: z.RefinementCtx) => {
  const written = JSON.stringify(value);
  if (written === undefined) return context.addIssue({ code: 'custom', message: 'is required' });
  if (written.length > maxValueLength) {
    return context.addIssue({
      code: 'custom',
      message: `must be at most ${maxValueLength} characters of JSON`,
    });
  }
  expressionsOf(place)(written, context);
};

const text = z
  .string(required('must be a string'))
  .max(10_000, 'must be at most 10000 characters long')
  .superRefine(expressionsOf('append'));

const json = z.unknown().superRefine(jsonOf('append'));

const identifier = z
  .string(required('must be a string'))
  .regex(/^[\w.-]{1,100}$/, 'must have 1 to 100 letters, digits, ".", "_" and "-"');

const place = z
  .string(required('must be a string'))
  .max(400, 'must be at most 400 characters long')
  .regex(
    /^\$(?:\.[A-Za-z_][\w-]*|\['[^'\\]+'\]|\[\d{1,4}\])+$/,
    'must be a JSONPath to one place, such as $.card.token_id',
  )
  .refine((path) => !path.includes('__proto__'), 'must not name __proto__');

const headerName = z
  .string(required('must be a string'))
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/, 'must be the name of a header')
  .refine((name) => !ownHeaders.test(name), 'names a header that the service sets itself');

const ownHeaders =
  /^(?:(?:svc|bt)-.*|connection|content-(?:length|encoding|type)|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

const options = <Members extends z.ZodRawShape>(members: Members) =>
  z.object(members, required('must be an object'));

const noPattern = { matcher: absent, expression: absent, replacement: absent };
const noCode = { code: absent };

const mask = z
  .object({
    matcher: z.enum(['regex', 'chase_stratus_pan'], 'must be regex or chase_stratus_pan'),
    expression: z.string('must be a string').max(1000, 'must be at most 1000 characters long').nullish(),
    replacement: z
      .string(required('must be a string'))
      .regex(/^[\x20-\x7e]$/, 'must be one character of ASCII'),
    ...noCode,
  })
  .superRefine(({ matcher, expression }, context) => {
    const problem =
      matcher === 'regex'
        ? patternProblem(expression ?? '')
        : expression == null
          ? undefined
          : 'is not allowed for this matcher';
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['expression'], message: problem });
  });

const code = z.object({ code: sourceCode, ...noPattern });

const tokenizeOf = (side: Side) => {
  const token = z.record(z.string(), z.unknown(), required('must be an object')).superRefine(jsonOf(side));
  return z.object({ options: options({ token, identifier }), ...noCode, ...noPattern });
};

/** Each by its side and type; members that are not named are dropped. */
export const transformShapes: Readonly<Record<Side, Partial<Record<TransformType, z.ZodType<object>>>>> = {
  request: { code, tokenize: tokenizeOf('request') },
  response: {
    code,
    mask,
    tokenize: tokenizeOf('response'),
    append_json: z.object({ options: options({ value: json, location: place }), ...noCode, ...noPattern }),
    append_text: z.object({ options: options({ value: text }), ...noCode, ...noPattern }),
    append_header: z.object({
      options: options({ value: text, location: headerName }),
      ...noCode,
      ...noPattern,
    }),
  },
};
