import type { TransformStep } from '@glovebox/protos/published/v1/published';
import type { ProxyRecord } from '@glovebox/published/records';

export type Side = 'request' | 'response';

const none: readonly TransformStep[] = [];
const onlyCode: readonly TransformStep[] = [
  { type: 'code', expression: '', replacement: '', identifier: '', location: '', value: '' },
];

/** The transforms of one side of a proxy, in their order. */
export function stepsOf(proxy: ProxyRecord, side: Side): readonly TransformStep[] {
  const steps = side === 'request' ? proxy.requestTransforms : proxy.responseTransforms;
  if (steps.length > 0) return steps;
  const code = side === 'request' ? proxy.requestTransformCode : proxy.responseTransformCode;
  return code === '' ? none : onlyCode;
}
