import { GiB } from '@gantry/api/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { useDebounced } from '#/features/common/use-debounced.ts'
import { utilizationView } from '#/features/utilization/queries.ts'
import { cpusProblem, memoryProblem } from '../hardware.ts'
import { overQuota } from './over-quota.ts'
import { type Verdict, verdictOf } from './verdict.ts'

type Wanted = InputOf<'placementCheck'>['body']

interface Plan {
  /** Bytes of the disks created with it. */
  storage: number
  /** Whether it starts at once. */
  start: boolean
}

/**
 * Whether an instance of this size fits now. Undefined if the server cannot tell, or if the size is invalid, which
 * its field reports.
 */
export function useVerdict(project: string, wanted: Wanted, { storage, start }: Plan): Verdict | undefined {
  const placement = usePlacement(project, wanted)
  const { data: quota } = useQuery(utilizationView)
  const { ncpus, memory } = wanted
  // Evaluates it as running, because whether it could start matters before it is created stopped.
  const over = quota && overQuota(quota.provisioned, { cpus: ncpus, memory, storage }, quota.capacity)
  return isWrong(wanted) ? undefined : verdictOf({ placement, over, start })
}

const debounceMs = 400

function usePlacement(project: string, wanted: Wanted) {
  const debounced = useDebounced(JSON.stringify(wanted), debounceMs, '')
  const body = debounced === '' ? wanted : (JSON.parse(debounced) as Wanted)
  const { data, isError } = useQuery({
    ...opQuery(op.placementCheck, { query: { project }, body }),
    placeholderData: keepPreviousData,
    enabled: debounced !== '' && !isWrong(body) && !isAbsent(op.placementCheck),
  })
  return isError ? undefined : data
}

const isWrong = ({ ncpus, memory }: Wanted): boolean =>
  (cpusProblem(ncpus) ?? memoryProblem(memory / GiB)) !== undefined
