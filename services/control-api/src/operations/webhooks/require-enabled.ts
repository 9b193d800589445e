import { AppError } from '@glovebox/platform/errors/app-error';

import type { WebhookRow } from '../../webhooks/fields.ts';

/** Nothing is delivered to a webhook that is disabled. @throws AppError `conflict` */
export function requireEnabled({ status }: Pick<WebhookRow, 'status'>): void {
  if (status === 'disabled') throw new AppError('conflict', 'The webhook is disabled. Enable it first.');
}
