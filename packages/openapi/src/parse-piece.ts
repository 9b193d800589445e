import { parse } from 'yaml';

import type { Components, OpenApiDocument, Operation, PathItem } from './openapi-document.ts';

/** A part of the document; together they are the whole. */
export interface Piece extends Partial<Omit<OpenApiDocument, 'paths' | 'components'>> {
  /** The file it is in. */
  readonly file: string;
  readonly paths?: Readonly<Record<string, PathItem>>;
  readonly components?: Partial<Components>;
  /** What each operation has that asks for an API key. */
  readonly 'x-every-operation'?: Shared;
  /** What each of them has besides that takes an idempotency key: POST, PUT and PATCH, unless they say otherwise. */
  readonly 'x-every-keyed-operation'?: Shared;
}

/** Parts of operations. */
export interface Shared {
  readonly parameters: NonNullable<Operation['parameters']>;
  /** Of every response that is no reference. */
  readonly headers: object;
  readonly responses: Operation['responses'];
}

/** Reads YAML with merge keys (`<<`). @throws Error for text that is not YAML. */
export function parsePiece(file: string, text: string): Piece {
  return { ...(parse(text, { merge: true }) as Omit<Piece, 'file'>), file };
}
