// @chunk plates: of pages of single objects, which lists do not need.
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'

interface Props<Data, Key extends QueryKey> {
  query: UseQueryOptions<Data, Failure, Data, Key>
  linkOf: (object: Data) => LinkTarget
}

/** The name of another object, known by its id, as a link to its page. */
export function ObjectById<Data extends { name: string }, Key extends QueryKey>({
  query,
  linkOf,
}: Props<Data, Key>) {
  const { data, error } = useQuery(query)
  if (error?.statusCode === 404) return <Tag>Deleted</Tag>
  if (error && !data) return <span className="text-faint">unknown</span>
  if (!data) return <Skeleton />
  return (
    <PageLink {...linkOf(data)} className="link">
      {data.name}
    </PageLink>
  )
}
