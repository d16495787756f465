import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { type Deferred, deferredOf } from '#/kit/page/deferred.tsx'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { allInstances, type Instance } from '#/features/instances/queries.ts'

interface Attachable {
  instanceId?: string | null
}

/** Instances by id. */
export type Holders = Deferred<ReadonlyMap<string, Instance>>

/** The instances that hold what is on screen: one request for all, and none if nothing is attached. */
export function useHolders(project: string, shown: readonly Attachable[]): Holders {
  const isNeeded = shown.some(({ instanceId }) => instanceId)
  const refetchInterval = usePolling(pollSlowly())
  const deferred = deferredOf(useQuery({ ...allInstances(project), enabled: isNeeded, refetchInterval }))
  return useMemo(
    () => (Array.isArray(deferred) ? new Map(deferred.map((instance) => [instance.id, instance])) : deferred),
    [deferred],
  )
}

/** The instance that an address or a block is attached to. */
export function holderOf(holders: Holders, { instanceId }: Attachable): Deferred<Instance> {
  if (holders === undefined || holders === 'unknown') return holders
  return holders.get(instanceId ?? '') ?? 'unknown'
}
