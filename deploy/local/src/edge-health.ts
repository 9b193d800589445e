export interface Readiness {
  readonly ready: boolean;
  readonly services: Readonly<Record<string, 'ready' | 'not ready' | 'not reachable'>>;
}

/** Asks every service whether it can serve. Callers that ask at the same time share one round of questions. */
export function createHealthCheck(readyUrls: Readonly<Record<string, string>>): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  return () => (running ??= ask(readyUrls).finally(() => (running = undefined)));
}

async function ask(readyUrls: Readonly<Record<string, string>>): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(readyUrls).map(async ([name, url]) => [name, await stateOf(url)] as const),
  );
  return { ready: states.every(([, state]) => state === 'ready'), services: Object.fromEntries(states) };
}

async function stateOf(url: string): Promise<'ready' | 'not ready' | 'not reachable'> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_500) });
    await answer.body?.cancel();
    return answer.ok ? 'ready' : 'not ready';
  } catch {
    return 'not reachable';
  }
}
