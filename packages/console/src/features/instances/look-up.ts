import * as op from '@gantry/api/client/operations.gen'
import { isUuid } from '@gantry/api/base/name.rules'
import { isRedirect, notFound, redirect } from '@tanstack/react-router'
import type { Loading } from '#/data/loading.ts'
import { opQuery } from '#/data/queries.ts'
import { instanceLink } from './links.ts'
import { instanceById } from './queries.ts'

/**
 * Redirects from an instance id, as found in logs, to the instance's page. Any failure gives `Page not found`, except
 * for a missing session, which leads to the sign-in page.
 */
export async function lookUp(context: Loading, id: string): Promise<never> {
  const page = await pageOf(context, id).catch((error: unknown) => {
    throw isRedirect(error) ? error : notFound()
  })
  throw redirect({ ...page, replace: true })
}

async function pageOf(
  { queryClient, prefetch }: Loading,
  id: string,
): Promise<ReturnType<typeof instanceLink>> {
  if (!isUuid(id)) throw notFound()
  const view = instanceById(id)
  await prefetch(view)
  const instance = await queryClient.ensureQueryData(view)
  const projectById = opQuery(op.projectView, { path: { project: instance.projectId } })
  await prefetch(projectById)
  const { name: project } = await queryClient.ensureQueryData(projectById)
  return instanceLink(project, instance.name)
}
