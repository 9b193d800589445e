import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';
import { isJsonObject } from '@glovebox/platform/values/json-object';

import { formText } from './form-object.ts';
import { valueOf } from './header-list.ts';
import type { TransformResult, MessageSide } from './transform-result.ts';

export interface EncodedMessage {
  /** Flat list of names and values. */
  readonly headers: string[];
  /** Empty for none. */
  readonly body: Buffer;
}

/**
 * The bytes of a body that a transform returned: text as it is, anything else by the content type that it returned or,
 * where it returned none, by the one that the message had; it is then named in the headers.
 *
 * @param received content type of the message that was transformed; undefined for one without a body
 * @throws AppError `internal` for a body that cannot be written in its content type.
 */
export function encodeBody(
  { headers, body }: TransformResult,
  received: string | undefined,
  side: MessageSide,
): EncodedMessage {
  if (isNone(body, received)) return { headers, body: empty };
  if (typeof body === 'string') return { headers, body: Buffer.from(body) };
  const returned = valueOf(headers, 'content-type');
  const contentType = returned ?? received ?? 'application/json';
  const encoded = Buffer.from(textOf(body, contentType, side));
  return {
    headers: returned === undefined ? [...headers, 'Content-Type', contentType] : headers,
    body: encoded,
  };
}

/**
 * Whether `encodeBody` would give any bytes. JSON is not written for that.
 * @throws AppError as `encodeBody`
 */
export function hasBytes(
  { headers, body }: TransformResult,
  received: string | undefined,
  side: MessageSide,
): boolean {
  if (isNone(body, received)) return false;
  if (typeof body === 'string') return body !== '';
  const contentType = valueOf(headers, 'content-type') ?? received ?? 'application/json';
  return bodyGrammar(contentType).kind === 'json' || textOf(body, contentType, side) !== '';
}

/** @throws AppError `internal` for the status of a response that has no body (RFC 9110 section 15.3) */
export function requireBodyAllowed(status: number): void {
  if (status === 204 || status === 205)
    throw new AppError('internal', `The response transform returned a body, and a ${status} has none.`);
}

const empty = Buffer.alloc(0);

function isNone(body: unknown, received: string | undefined): boolean {
  return body === undefined || (body === null && received === undefined);
}

function textOf(body: unknown, contentType: string, side: MessageSide): string {
  const { kind } = bodyGrammar(contentType);
  if (kind === 'json') return JSON.stringify(body);
  if (kind !== 'form')
    refuse(side, 'a body that is not text, with a content type that is neither JSON nor a form');
  if (body === null) return '';
  const text = isJsonObject(body) ? formText(body) : undefined;
  return (
    text ??
    refuse(side, 'a body that no form can hold: it must be an object of text, numbers and lists of them')
  );
}

function refuse(side: MessageSide, found: string): never {
  throw new AppError('internal', `The ${side} transform returned ${found}.`);
}
