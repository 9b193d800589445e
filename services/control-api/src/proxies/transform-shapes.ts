import * as z from 'zod';

import { required, sourceCode } from '../http/shape.ts';
import { type InputLimits, perLimits } from '../limits/input-limits.ts';
import { type ExpressionPlace, type Side, expressionProblem } from './transform-expressions.ts';

/** What a request may name of a transform (contract/transforms.md#types). */
export type TransformType = 'code' | 'mask' | 'tokenize' | 'append_json' | 'append_text' | 'append_header';

export const transformTypes = {
  request: ['code', 'tokenize'],
  response: ['code', 'mask', 'tokenize', 'append_json', 'append_text', 'append_header'],
} as const satisfies Record<Side, readonly TransformType[]>;

const absent = z.null('is not allowed for this type').optional();
const expressionsOf =
  (place: ExpressionPlace, { expressionLength }: InputLimits) =>
  (text: string, context: z.RefinementCtx) => {
    const problem = expressionProblem(text, place, expressionLength);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  };

/** JSON whose strings may hold expressions. */
const jsonOf = (place: ExpressionPlace, limits: InputLimits) => {
  const { transformValueLength: maxLength } = limits;
  const checkExpressions = expressionsOf(place, limits);
  return (value: unknown, context: z.RefinementCtx) => {
    const written = JSON.stringify(value);
    if (written === undefined) return context.addIssue({ code: 'custom', message: 'is required' });
    if (written.length > maxLength) {
      return context.addIssue({
        code: 'custom',
        message: `must be at most ${maxLength} characters of JSON`,
      });
    }
    checkExpressions(written, context);
  };
};

const textOf = (limits: InputLimits) =>
  z
    .string(required('must be a string'))
    .max(limits.transformValueLength, `must be at most ${limits.transformValueLength} characters long`)
    .superRefine(expressionsOf('append', limits));

const identifierOf = ({ identifierLength }: InputLimits) =>
  z
    .string(required('must be a string'))
    .refine(
      (text) => text.length <= identifierLength && /^[\w.-]+$/.test(text),
      `must have 1 to ${identifierLength} letters, digits, ".", "_" and "-"`,
    );

const placeOf = ({ locationLength }: InputLimits) =>
  z
    .string(required('must be a string'))
    .max(locationLength, `must be at most ${locationLength} characters long`)
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

const maskOf = ({ patternLength: maxLength }: InputLimits) =>
  z
    .object({
      matcher: z.enum(['regex', 'chase_stratus_pan'], 'must be regex or chase_stratus_pan'),
      expression: z
        .string('must be a string')
        .max(maxLength, `must be at most ${maxLength} characters long`)
        .nullish(),
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

const tokenizeOf = (side: Side, limits: InputLimits) => {
  const token = z
    .record(z.string(), z.unknown(), required('must be an object'))
    .superRefine(jsonOf(side, limits));
  const identifier = identifierOf(limits);
  return z.object({ options: options({ token, identifier }), ...noCode, ...noPattern });
};

type Shapes = Readonly<Record<Side, Partial<Record<TransformType, z.ZodType<object>>>>>;

/** Each by its side and type; members that are not named are dropped. */
export const transformShapes = perLimits((limits): Shapes => {
  const code = z.object({ code: sourceCode(limits), ...noPattern });
  const text = textOf(limits);
  const json = z.unknown().superRefine(jsonOf('append', limits));
  const appends = <Members extends z.ZodRawShape>(members: Members) =>
    z.object({ options: options(members), ...noCode, ...noPattern });
  return {
    request: { code, tokenize: tokenizeOf('request', limits) },
    response: {
      code,
      mask: maskOf(limits),
      tokenize: tokenizeOf('response', limits),
      append_json: appends({ value: json, location: placeOf(limits) }),
      append_text: appends({ value: text }),
      append_header: appends({ value: text, location: headerName }),
    },
  };
});

/**
 * The problem of a mask's regular expression, if there is one. It is only parsed here; it runs in an isolate with a
 * time limit.
 */
export function patternProblem(expression: string): string | undefined {
  if (expression === '') return 'is required';
  try {
    void new RegExp(expression, 'g');
  } catch {
    return 'must be a valid regular expression';
  }
  return holdsCapture(expression) ? undefined : 'must have at least one capture group';
}

/** @param expression a valid one */
function holdsCapture(expression: string): boolean {
  let inClass = false;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '(' && !inClass && /^\((?:[^?]|\?<[^=!])/.test(expression.slice(at, at + 4)))
      return true;
  }
  return false;
}
