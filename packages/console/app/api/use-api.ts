import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import type { ApiError } from './client.ts';
import { type Sent, type Versioned, send, sendForVersion } from './client.ts';

const soonMs = 1000;

/**
 * Reads a resource.
 * @param path absent: nothing is read yet
 * @param changes whether what is shown is about to change, so that it is read anew soon
 */
export function useRead<T>(
  path: string | undefined,
  changes: (shown: T) => boolean = () => false,
): UseQueryResult<T, ApiError> {
  return useQuery<T, ApiError>({
    queryKey: ['read', path],
    queryFn: () => send<T>(`GET ${path ?? ''}`),
    enabled: path !== undefined,
    refetchInterval: ({ state: { data } }) => (data !== undefined && changes(data) ? soonMs : false),
  });
}

/** The same with its version. */
export function useReadVersioned<T>(path: string): UseQueryResult<Versioned<T>, ApiError> {
  return useQuery<Versioned<T>, ApiError>({
    queryKey: ['versioned', path],
    queryFn: () => sendForVersion<T>(`GET ${path}`),
  });
}

/** Changes something; what is shown is read anew then. */
export function useWrite<T>(done?: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation<T, ApiError, Sent & { readonly request: string }>({
    mutationFn: ({ request, ...sent }) => send<T>(request, sent),
    onError: (error) => {
      // The page of who is not signed in any more asks them to sign in.
      if (error.status === 401) void client.invalidateQueries({ queryKey: ['session'] });
    },
    onSuccess: async (answer) => {
      // Long lists begin anew: all pages that were read are not read again.
      void client.resetQueries({ queryKey: ['pages'] });
      await client.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'pages' });
      done?.(answer);
    },
  });
}
