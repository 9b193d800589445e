import { validationError } from '@glovebox/platform/errors/app-error';

import { uuidPattern } from '../http/shape.ts';
import type { WebhookRow } from './fields.ts';

/** After which item a page begins (contract/conventions.md#pagination). */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

export function writeCursor({ created_at, id }: Pick<WebhookRow, 'created_at' | 'id'>): string {
  return Buffer.from(`${created_at.getTime()}.${id}`).toString('base64url');
}

/** @throws AppError `invalid_argument` for what no page has given. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, time, id] = /^(\d{1,15})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || id === undefined || !uuidPattern.test(id)) {
    throw validationError({ start: ['must be a cursor from an earlier page of this list'] });
  }
  return { createdAt: new Date(Number(time)), id };
}
