import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { isNestedDeeper } from '@glovebox/platform/values/json-nesting';
import express, { type Request, type Response } from 'express';

import type { InputLimits } from '../limits/input-limits.ts';
import { unstorableText } from './unstorable-text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const [json, mergePatch] = ['application/json', 'application/merge-patch+json'] as const;

const mediaTypes = {
  json: [json],
  'merge-patch': [mergePatch],
  'json or merge-patch': [json, mergePatch],
} as const;

/** Of a body that may be one or the other. */
export const isMergePatch = (contentType: string | undefined): boolean => typeOf(contentType) === mergePatch;

/**
 * Reads a request's body, which must be a JSON object of the type that its operation takes.
 * @throws AppError `unsupported_media_type`, `too_large`, `unavailable` when too much is held already, or `invalid_argument`
 * with what is wrong where.
 */
export type ReadJson = (
  request: Request,
  response: Response,
  kind: keyof typeof mediaTypes,
) => Promise<object>;

export function jsonReader({
  bodyBytes: maxBytes,
  heldBytes,
  bodyNesting,
}: Pick<InputLimits, 'bodyBytes' | 'heldBytes' | 'bodyNesting'>): ReadJson {
  const hold = bodyHolder(maxBytes, heldBytes);
  const raw = express.raw({ type: () => true, limit: maxBytes, inflate: false });
  return async (request, response, kind) => {
    requireType(request.get('content-type'), mediaTypes[kind]);
    hold(request, response);
    await new Promise<void>((resolve, reject) => {
      raw(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(toError(error, maxBytes)),
      );
    });
    const value = parse(request.body, bodyNesting);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new AppError('invalid_argument', 'The request body must be a JSON object.');
    }
    return value;
  };
}

function requireType(header: string | undefined, expected: readonly string[]): void {
  const parameters = partsOf(header).slice(1);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (expected.includes(typeOf(header)) && isUtf8) return;
  throw new AppError('unsupported_media_type', `The content type must be ${expected.join(' or ')} in UTF-8.`);
}

const typeOf = (header: string | undefined): string => partsOf(header)[0] ?? '';

const partsOf = (header = '') => header.split(';').map((part) => part.trim().toLowerCase());

function parse(body: unknown, maxNesting: number): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new AppError('invalid_argument', 'The request body must be a JSON object.');
  }
  if (isNestedDeeper(body, maxNesting)) {
    throw new AppError(
      'invalid_argument',
      `The request body may be nested at most ${maxNesting} levels deep.`,
    );
  }
  let text;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw new AppError('invalid_argument', 'The request body is not valid UTF-8.', { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The cause is left out: its message quotes the body.
    throw new AppError('invalid_argument', 'The request body is not valid JSON.');
  }
  const problems = unstorableText(text, value);
  if (problems !== undefined) throw validationError(problems);
  return value;
}

function toError(error: unknown, maxBytes: number): Error {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new AppError('too_large', `The request body must be at most ${maxBytes} bytes.`);
    case 'encoding.unsupported':
      return new AppError('unsupported_media_type', 'The request body must not be compressed.');
    case 'request.aborted':
      return new AppError('cancelled', 'The request body was cut off.');
    case 'request.size.invalid':
      return new AppError('invalid_argument', 'The request body is not as long as announced.');
    default:
      return error instanceof Error ? error : new Error('reading the request body failed');
  }
}

/** Smaller bodies are not counted, so large ones never cause their refusal. */
const freeBytes = 65_536;

/**
 * Bounds the memory of all bodies together, by their announced lengths. Parsed JSON takes ten times its length, so a
 * few dozen of the largest bodies would exhaust the process.
 * @throws AppError `unavailable` before the body is read
 */
function bodyHolder(maxBodyBytes: number, maxHeldBytes: number) {
  let held = 0;
  return (request: Request, response: Response): void => {
    const announced = request.get('content-length');
    // A chunked body may have any size.
    const bytes =
      announced === undefined && request.get('transfer-encoding') !== undefined
        ? maxBodyBytes
        : Number(announced ?? 0);
    if (!(bytes > freeBytes && bytes <= maxBodyBytes) || response.closed) return;
    if (held + bytes > maxHeldBytes)
      throw new AppError('unavailable', 'Too many large bodies are being processed.');
    held += bytes;
    response.once('close', () => {
      held -= bytes;
    });
  };
}
