import type { HostPatterns } from '@glovebox/protos/published/v1/published';

/** The published form of a list of host patterns. An empty one covers no host; undefined: there is no list. */
export function publishedHosts(patterns: readonly string[] | null): HostPatterns | undefined {
  return patterns === null ? undefined : { patterns: [...patterns] };
}
