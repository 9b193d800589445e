import { AppError } from '@glovebox/platform/errors';
import type { ProxyRecord } from '@glovebox/published/records';

/**
 * This gateway runs no transforms yet. A proxy that has one is refused rather than served without it: its tenant
 * relies on what the code removes or adds.
 */
export function refuseTransforms(proxy: ProxyRecord): void {
  if (proxy.requestTransformCode === '' && proxy.responseTransformCode === '') return;
  throw new AppError(
    'unprocessable',
    'The proxy has a transform, and this version of the service runs none.',
  );
}
