import type { AllowTable } from '@glovebox/platform/grpc/authorize';
import { RunnerServiceService as methods } from '@glovebox/protos/runner/v1/runner';

/** Which service may call which method. */
export const allowTable: AllowTable = {
  [methods.exchange.path]: ['proxy-gateway'],
  [methods.compile.path]: ['control-api'],
};
