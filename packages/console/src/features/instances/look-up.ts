import * as op from '@gantry/api/client/operations.gen'
import { isUuid } from '@gantry/api/name.rules'
import type { QueryClient } from '@tanstack/react-query'
import { isRedirect, notFound, redirect } from '@tanstack/react-router'
import { opQuery } from '../../data/queries.ts'
import { instanceById, instancePaths } from './queries.ts'

interface Context {
  queryClient: QueryClient
  prefetch: (...queries: { queryKey: readonly unknown[] }[]) => Promise<void>
}

/**
 * Leads from the id of an instance, as it stands in logs, to its page. Whatever goes wrong on the way, there is no
 * such page; only who has to sign in is sent to do that first.
 */
export async function lookUp(context: Context, id: string): Promise<never> {
  const path = await pathOf(context, id).catch((error: unknown) => {
    throw isRedirect(error) ? error : notFound()
  })
  throw redirect({ href: path, replace: true })
}

async function pathOf({ queryClient, prefetch }: Context, id: string): Promise<string> {
  if (!isUuid(id)) throw notFound()
  const view = instanceById(id)
  await prefetch(view)
  const instance = await queryClient.ensureQueryData(view)
  const projectById = opQuery(op.projectView, { path: { project: instance.projectId } })
  await prefetch(projectById)
  const { name: project } = await queryClient.ensureQueryData(projectById)
  return instancePaths.storage(project, instance.name)
}
