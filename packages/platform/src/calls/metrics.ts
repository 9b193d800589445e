import { Counter, Gauge, Histogram, type MetricsRegistry } from '../telemetry/metrics.ts';
import type { CallStreamObserver } from './client.ts';

/** Measures the streams to a peer. @param peer e.g. `vault`; part of the metrics' names */
export function observeStream(peer: string, metrics: MetricsRegistry): CallStreamObserver {
  const frameSizes = new Histogram({
    name: `glovebox_${peer}_frame_calls`,
    help: `Calls in one frame to the ${peer}`,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [metrics],
  });
  const losses = new Counter({
    name: `glovebox_${peer}_stream_losses_total`,
    help: `How often a stream to the ${peer} broke`,
    registers: [metrics],
  });
  return {
    frameWritten: (calls) => frameSizes.observe(calls),
    disconnected: () => losses.inc(),
  };
}

/** Measures the open calls to a peer, and how many of its servers accept calls. */
export function observeOpenCalls(
  peer: string,
  stream: { readonly openCalls: number; readonly readyPeers: number },
  metrics: MetricsRegistry,
): void {
  const openCalls: Gauge = new Gauge({
    name: `glovebox_${peer}_calls_open`,
    help: `Calls to the ${peer} without a reply yet`,
    registers: [metrics],
    collect: () => openCalls.set(stream.openCalls),
  });
  const servers: Gauge = new Gauge({
    name: `glovebox_${peer}_servers`,
    help: `Servers of the ${peer} that take calls of this process`,
    registers: [metrics],
    collect: () => servers.set(stream.readyPeers),
  });
}
