import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

import { type ApiError, send } from './client.ts';
import type { Page } from './models.ts';

/** A list that is read page by page, as far as somebody scrolls. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly rows: readonly T[] | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/**
 * Reads a list by its cursor.
 * @param path with its filters and a `?`; undefined: nothing is read
 */
export function usePages<T>(path: string | undefined): Pages<T> {
  const query = useInfiniteQuery<Page<T>, ApiError, readonly T[], readonly unknown[], string | undefined>({
    queryKey: ['pages', path],
    queryFn: ({ pageParam }) => send<Page<T>>(`GET ${withStart(path ?? '', pageParam)}`),
    initialPageParam: undefined,
    getNextPageParam: ({ pagination }) => pagination.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    enabled: path !== undefined,
    // A change elsewhere must not read a hundred pages again.
    refetchOnWindowFocus: false,
  });
  const { fetchNextPage, refetch } = query;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return {
    rows: query.data,
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    loadMore,
    error: query.error,
    retry: () => void refetch(),
  };
}

function withStart(path: string, start: string | undefined): string {
  if (start === undefined) return path;
  const at = path.indexOf('?');
  const query = new URLSearchParams(path.slice(at + 1));
  query.set('start', start);
  return `${path.slice(0, at)}?${query.toString()}`;
}
