import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';
import { webhookEvents } from '@glovebox/published/webhook-events';
import * as z from 'zod';

import { type Problems, hasProblems, list, readShape, required, resourceName } from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import type { WebhookRow } from '../../webhooks/fields.ts';

const event = z.enum(webhookEvents, { error: `must be one of ${webhookEvents.join(', ')}` });

const shapeOf = perLimits((limits) =>
  z.object({
    name: resourceName(limits),
    url: z.string(required('must be a string')),
    // Each once, and as many again.
    events: list(2 * webhookEvents.length, event).refine(
      (events) => events.length > 0,
      'must have at least one item',
    ),
    notify_email: z
      .string('must be a string')
      .max(254, 'must be at most 254 characters long')
      // Empty means absent.
      .regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'must be an e-mail address')
      .nullish(),
    status: z.enum(['enabled', 'disabled'], { error: 'must be enabled or disabled' }).nullish(),
  }),
);

/** The operator's limits of webhooks. */
export interface WebhookRules {
  readonly inputLimits: InputLimits;
  readonly egressPolicy: EgressPolicy;
}

const urlAlone = z.object({ url: z.string() });

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readWebhookInput(
  body: unknown,
  { inputLimits, egressPolicy: policy }: WebhookRules,
): Pick<WebhookRow, 'name' | 'url' | 'events' | 'notify_email' | 'status'> {
  const problems: Problems = {};
  const fields = readShape(shapeOf(inputLimits), body, problems);
  const url = urlAlone.safeParse(body).data?.url;
  const parsed = url === undefined ? undefined : parseDestination(url, policy);
  if (parsed?.ok === false) (problems['url'] ??= []).push(destinationRefusalText(parsed.reason, policy));
  if (fields === undefined || hasProblems(problems)) throw validationError(problems);
  return {
    name: fields.name,
    url: fields.url,
    events: [...new Set(fields.events)],
    notify_email: fields.notify_email || null,
    status: fields.status ?? 'enabled',
  };
}
