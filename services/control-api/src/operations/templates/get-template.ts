import { AppError } from '@glovebox/platform/errors/app-error';

import type { Handler } from '../../http/call.ts';
import { applicationTemplates } from './templates.ts';

export const getTemplate: Handler = async ({ id }) => {
  const template = applicationTemplates.find((one) => one.id === id);
  if (template === undefined) throw new AppError('not_found', 'There is no such application template.');
  return { status: 200, body: template };
};
