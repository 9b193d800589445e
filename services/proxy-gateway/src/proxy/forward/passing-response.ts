import type { ResponseGuard } from '../../guard/response-guard.ts';
import type { Exchange } from '../../http/exchange.ts';
import { GuardedResponse } from './guarded-response.ts';
import { StreamedResponse } from './streamed-response.ts';

export type PassingResponse = GuardedResponse | StreamedResponse;

/** A response that is passed on as it arrives, through the leak guard if there is one. */
export function passingResponse(
  exchange: Exchange,
  guard: ResponseGuard | undefined,
  resolve: (response: 'streamed') => void,
  reject: (error: unknown) => void,
): PassingResponse {
  return guard === undefined
    ? new StreamedResponse(exchange, resolve, reject)
    : new GuardedResponse(exchange, guard, resolve, reject);
}
