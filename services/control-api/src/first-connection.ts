import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import type { ReadinessCheck } from '@glovebox/platform/http/internal-server';

const attemptMs = 500;
/** Without it all else works: a service whose peer is away for longer is ready all the same. */
const patienceMs = 5000;

/** Has a service that was started just now take nothing yet that it would have to refuse until it has found its peer. */
export function firstConnection(
  peer: Pick<GrpcChannel, 'waitForReady'>,
  startedAt: number = performance.now(),
): ReadinessCheck {
  let isOver = false;
  return async () => {
    if (isOver) return undefined;
    const isConnected = await peer.waitForReady(attemptMs).then(
      () => true,
      () => false,
    );
    isOver = isConnected || performance.now() - startedAt > patienceMs;
    return isOver ? undefined : 'not connected';
  };
}
