import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * A connection that is being made asks the sentinels anyway. A failover that they announce meanwhile must not end it:
 * ioredis would never connect again.
 */
export class FirmSentinelConnector extends SentinelConnector {
  /** @param options which ioredis passes on, without saying so in its types */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(
    ...given: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    const detector: unknown = Reflect.get(this, 'failoverDetector');
    if (isDetector(detector)) detector.cleanup();
    return super.connect(...given);
  }
}

function isDetector(value: unknown): value is { cleanup(): void } {
  return typeof value === 'object' && value !== null && 'cleanup' in value;
}
