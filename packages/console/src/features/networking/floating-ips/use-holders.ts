import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allInstances, type Instance } from '../../instances/queries.ts'
import type { FloatingIp } from '../queries.ts'

/** Instances by id, or why there are none. */
export type Holders = ReadonlyMap<string, Instance> | 'pending' | 'unknown'

/** The instances that hold the addresses shown: one request for all, and none where no address is attached. */
export function useHolders(project: string, shown: readonly FloatingIp[]): Holders {
  const isNeeded = shown.some(({ instanceId }) => instanceId)
  const { data, isError } = useQuery({ ...allInstances(project), enabled: isNeeded })
  return useMemo(
    () => (data ? new Map(data.map((instance) => [instance.id, instance])) : isError ? 'unknown' : 'pending'),
    [data, isError],
  )
}

/** The instance of an address, as far as it is known. */
export const holderOf = (holders: Holders, { instanceId }: FloatingIp): Instance | undefined =>
  typeof holders === 'string' || !instanceId ? undefined : holders.get(instanceId)
