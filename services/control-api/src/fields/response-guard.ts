import { type GuardMode, guardModes } from '@glovebox/published/response-guard';
import * as z from 'zod';

import { column } from './column.ts';

/** The column of a proxy or reactor; null: the tenant's setting. */
export const responseGuard = column<GuardMode | null>()({
  sent: () => z.enum(guardModes, `must be one of ${guardModes.join(', ')}`),
  absent: null,
  published: '' as GuardMode,
});
