import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import type { ApiError } from './client.ts';
import { type Sent, type Versioned, send, sendForVersion } from './client.ts';

/** Reads a resource. @param path absent: nothing is read yet */
export function useRead<T>(path: string | undefined): UseQueryResult<T, ApiError> {
  return useQuery<T, ApiError>({
    queryKey: ['read', path],
    queryFn: () => send<T>(`GET ${path ?? ''}`),
    enabled: path !== undefined,
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
    onSuccess: async (answer) => {
      await client.invalidateQueries();
      done?.(answer);
    },
  });
}
