import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import type { ReadinessCheck } from '@glovebox/platform/http/internal-server';

const attemptMs = 500;
/** Without it all else works: a service whose peer is away for longer is ready all the same. */
const patienceMs = 5000;

/** Keeps a starting service unready until it has connected to its peer, since it would refuse requests until then. */
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
