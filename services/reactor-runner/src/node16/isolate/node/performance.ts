import type { Scope } from '../scope.ts';

/** `internalBinding('performance')`: clocks that start with the isolate, and nothing about the process. */
export function performanceBinding({ process }: Scope): object {
  const nothing = () => {};
  const milestones = [
    'ENVIRONMENT',
    'NODE_START',
    'V8_START',
    'LOOP_START',
    'LOOP_EXIT',
    'BOOTSTRAP_COMPLETE',
  ];
  const entryTypes = ['GC', 'HTTP', 'HTTP2', 'NET', 'DNS'];
  const constants: Record<string, number> = Object.fromEntries([
    ...milestones.map((name, at) => [`NODE_PERFORMANCE_MILESTONE_${name}`, at]),
    ...entryTypes.map((name, at) => [`NODE_PERFORMANCE_ENTRY_TYPE_${name}`, at]),
  ]);
  return {
    constants,
    // The loop of events has neither begun nor ended: it is not the isolate's.
    milestones: milestones.map((name) => (name.startsWith('LOOP') ? -1 : 0)),
    observerCounts: new Uint32Array(entryTypes.length),
    installGarbageCollectionTracking: nothing,
    removeGarbageCollectionTracking: nothing,
    setupObservers: nothing,
    loopIdleTime: () => 0,
    getTimeOrigin: () => 0,
    getTimeOriginTimestamp() {
      const [seconds, nanoseconds] = process.hrtime();
      return Date.now() - seconds * 1000 - nanoseconds / 1e6;
    },
  };
}
