import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { QueryClient } from '@tanstack/react-query'
import { call, type Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { etagOf, readAfter } from '#/data/queries.ts'
import { type Instance, instanceAt, instanceView } from './queries.ts'

type Body = InputOf<'instanceUpdate'>['body']
type Settings = Pick<
  Instance,
  'ncpus' | 'memory' | 'bootDiskId' | 'autoRestartPolicy' | 'cpuPlatform' | 'enableJumboFrames'
>

/** The call replaces all settings but its groups and unsets missing ones, so unchanged ones are sent again. */
export function updateBody(instance: Settings, change: Partial<Body>): Body {
  // One that is missing here would be unset by every change of the others.
  const current = {
    ncpus: instance.ncpus,
    memory: instance.memory,
    bootDisk: instance.bootDiskId ?? null,
    autoRestartPolicy: instance.autoRestartPolicy ?? null,
    cpuPlatform: instance.cpuPlatform ?? null,
    enableJumboFrames: instance.enableJumboFrames,
  } satisfies Required<Omit<Body, 'multicastGroups'>>
  return { ...current, ...change }
}

const maxAttempts = 3

/**
 * Changes some settings and keeps the server's current values of the others: reads them first, and reads them again
 * if `If-Match` refuses a concurrent change (every state change is one).
 */
export async function updateInstance(
  queryClient: QueryClient,
  { project, instance }: { project: string; instance: string },
  change: Partial<Body>,
  send: Send = call,
): Promise<Instance> {
  const view = instanceView(project, instance)
  for (let attempt = 1; ; attempt++) {
    const seen = await queryClient.fetchQuery({ ...view, staleTime: 0 })
    const input = { ...instanceAt(project, instance), body: updateBody(seen, change) }
    try {
      const { data } = await send(op.instanceUpdate, input, { ifMatch: etagOf(view.queryKey) })
      await readAfter(queryClient, op.instanceUpdate)
      return data
    } catch (error) {
      const isRace = error instanceof Failure && error.statusCode === 412
      if (!isRace || attempt === maxAttempts) throw error
    }
  }
}
