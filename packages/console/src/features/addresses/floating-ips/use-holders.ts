import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Deferred, deferredOf } from '#/features/common/DeferredValue.tsx'
import { allInstances, type Instance } from '#/features/instances/queries.ts'
import type { FloatingIp } from '../queries.ts'

/** Instances by id. */
export type Holders = Deferred<ReadonlyMap<string, Instance>>

/** The instances that hold the addresses on screen: one request for all, and none if no address is attached. */
export function useHolders(project: string, shown: readonly FloatingIp[]): Holders {
  const isNeeded = shown.some(({ instanceId }) => instanceId)
  const deferred = deferredOf(useQuery({ ...allInstances(project), enabled: isNeeded }))
  return useMemo(
    () => (Array.isArray(deferred) ? new Map(deferred.map((instance) => [instance.id, instance])) : deferred),
    [deferred],
  )
}

/** The instance that an address is attached to. */
export function holderOf(holders: Holders, { instanceId }: FloatingIp): Deferred<Instance> {
  if (holders === undefined || holders === 'unknown') return holders
  return holders.get(instanceId ?? '') ?? 'unknown'
}
