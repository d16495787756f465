import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call, type Send } from '#/data/client.ts'
import { etagOf, readAfter } from '#/data/queries.ts'
import { type Instance, instanceAt, instanceView } from './queries.ts'

type Pending = InputOf<'instancePendingUpdate'>['body']

/** Whether a change of it waits for its next start. */
export const isLater = ({ runState }: Pick<Instance, 'runState'>): boolean =>
  allows(instanceAllows, 'changeLater', runState)

/** Changes some of what waits for the next start of an instance, and keeps the rest of it; undefined takes one back. */
export async function updatePending(
  queryClient: QueryClient,
  { project, instance }: { project: string; instance: string },
  change: Pending,
  send: Send = call,
): Promise<Instance> {
  const view = instanceView(project, instance)
  const { pending } = await queryClient.fetchQuery({ ...view, staleTime: 0 })
  const body: Pending = {
    ncpus: pending?.ncpus,
    memory: pending?.memory,
    bootDisk: pending?.bootDiskId,
    hardware: pending?.hardware,
    ...change,
  }
  const { data } = await send(
    op.instancePendingUpdate,
    { ...instanceAt(project, instance), body },
    { ifMatch: etagOf(view.queryKey) },
  )
  await readAfter(queryClient, op.instancePendingUpdate)
  return data
}
