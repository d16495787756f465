import { GiB } from '@gantry/api/base/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { useDebounced } from '#/kit/inputs/use-debounced.ts'
import { utilizationView } from '#/features/utilization/capacities.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { cpusProblem, memoryProblem } from '../hardware.ts'
import { overQuota, type Verdict, verdictOf } from './verdict.ts'

interface Props {
  verdict: Verdict | undefined
  action?: ReactNode
}

/** Whether the instance fits, or why not and what to do. Announced to screen readers on change. */
export function VerdictNote({ verdict, action }: Props) {
  return (
    <div role="status" className="text-sm text-muted">
      {verdict?.kind === 'fits' && <p>{verdict.title}</p>}
      {verdict && verdict.kind !== 'fits' && (
        <Note kind="busy" className="mt-1.5" title={verdict.title} action={action}>
          <ul className="mt-1.5 list-disc space-y-1 pl-5">
            {verdict.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  )
}

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
