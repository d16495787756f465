import { GiB } from '@gantry/api/bytes.rules'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { isAbsent } from '../../../data/extensions.ts'
import { opQuery } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatCount } from '../../../ui/format-amounts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Note } from '../../../ui/Note.tsx'
import { failureText } from '../../common/failure-text.ts'
import { useSettled } from '../../common/use-settled.ts'
import { cpusProblem, memoryProblem } from '../hardware.ts'
import { hardwareOf, type InstanceValues } from './values.ts'

type Asked = InputOf<'placementCheck'>['body']
type Placement = OutputOf<'placementCheck'>

const settleMs = 400

/** Whether a sled has room for the instance as it is now, before anything is sent. Left out where the server does not tell. */
export function PlacementAside({ project }: { project: string }) {
  const id = useId()
  const placement = usePlacement(project)
  if (!placement) return null
  const { candidates, sleds } = placement
  return (
    <aside aria-labelledby={id} className="rounded-block border border-line bg-sunken px-4 py-3">
      <h2 id={id} className="text-base">
        Placement
      </h2>
      <div role="status" className="text-sm text-muted">
        {candidates > 0 ? (
          <p>
            Fits now on {formatNumber(candidates)} of {formatCount(sleds, 'sled')}.
          </p>
        ) : (
          <NoRoom placement={placement} />
        )}
      </div>
    </aside>
  )
}

function usePlacement(project: string): Placement | undefined {
  const values = useWatch<InstanceValues>() as InstanceValues
  const { ncpus, memoryGib } = hardwareOf(values)
  const wanted: Asked = { ncpus, memory: memoryGib * GiB, antiAffinityGroups: values.antiAffinityGroups }
  const asked = useSettled(JSON.stringify(wanted), settleMs, '')
  const body = asked === '' ? wanted : (JSON.parse(asked) as Asked)
  // What is wrong with the numbers themselves is said beside them.
  const isWrong = cpusProblem(body.ncpus) ?? memoryProblem(body.memory / GiB)
  const { data, isError } = useQuery({
    ...opQuery(op.placementCheck, { query: { project }, body }),
    placeholderData: keepPreviousData,
    enabled: asked !== '' && !isWrong && !isAbsent(op.placementCheck),
  })
  return isWrong || isError ? undefined : data
}

function NoRoom({ placement: { refusal, reasons } }: { placement: Placement }) {
  const { setValue } = useFormContext<InstanceValues>()
  const start = useWatch<InstanceValues, 'start'>({ name: 'start' })
  return (
    <Note
      kind="busy"
      className="mt-1.5"
      title={start ? 'The instance would be created but not start' : 'The instance could not start now'}
      action={
        start && (
          <Button onClick={() => setValue('start', false, { shouldDirty: true })}>
            Create without starting
          </Button>
        )
      }
    >
      {/* Each reason below says what to do about it. */}
      {refusal && <p>{reasons.length > 0 ? refusal.message : failureText(refusal)}</p>}
      <ul className="mt-1.5 list-disc space-y-1 pl-5">
        {reasons.map(({ reason, message, help, count }) => (
          <li key={reason}>
            {formatCount(count, 'sled')}: {message}. {help}
          </li>
        ))}
      </ul>
    </Note>
  )
}
