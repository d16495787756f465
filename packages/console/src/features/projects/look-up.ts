import { isUuid } from '@gantry/api/base/name.rules'
import { type FetchQueryOptions, type QueryKey } from '@tanstack/react-query'
import { isRedirect, notFound, redirect } from '@tanstack/react-router'
import type { Failure } from '#/data/failure.ts'
import type { Loading } from '#/data/loading.ts'
import { projectView } from './queries.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'

interface Found {
  name: string
  projectId?: string | null
}

interface Page<Object extends Found, Key extends QueryKey> {
  id: string
  /** Reads the object, whose id needs no project. */
  view: (id: string) => FetchQueryOptions<Object, Failure, Object, Key>
  /** Its page; of an object of the silo, without a project. */
  link: (object: Object, project: string | undefined) => LinkTarget
}

/**
 * Redirects from the id of an object, as found in logs, to its page. Any failure gives `Page not found`, except for a
 * missing session, which leads to the sign-in page.
 */
export async function lookUp<Object extends Found, Key extends QueryKey>(
  context: Loading,
  page: Page<Object, Key>,
): Promise<never> {
  const link = await linkOf(context, page).catch((error: unknown) => {
    throw isRedirect(error) ? error : notFound()
  })
  throw redirect({ ...link, replace: true })
}

async function linkOf<Object extends Found, Key extends QueryKey>(
  { queryClient, prefetch }: Loading,
  { id, view, link }: Page<Object, Key>,
): Promise<LinkTarget> {
  if (!isUuid(id)) throw notFound()
  const query = view(id)
  await prefetch(query)
  const object = await queryClient.ensureQueryData(query)
  if (!object.projectId) return link(object, undefined)
  const parent = projectView(object.projectId)
  await prefetch(parent)
  return link(object, (await queryClient.ensureQueryData(parent)).name)
}
