import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import type { ListPage } from '#/features/common/use-list-page.ts'

/** A list that the API returns whole, in the shape of one page. */
export function useWholeList<Item, Key extends readonly unknown[]>(
  query: UseQueryOptions<Item[], Failure, Item[], Key>,
): ListPage<Item> {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery(query)
  return {
    rows: data,
    position: { number: 1, previous: undefined },
    limit: data?.length ?? 0,
    failure: error,
    isTurning: false,
    isRefreshing: isFetching,
    updatedAt: dataUpdatedAt ? new Date(dataUpdatedAt) : undefined,
    refresh: () => void refetch(),
    onPrevious: undefined,
    onNext: undefined,
  }
}
