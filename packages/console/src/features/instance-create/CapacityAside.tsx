import { GiB } from '@gantry/api/bytes.rules'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useVerdict } from '#/features/instances/fit/use-verdict.ts'
import { VerdictNote } from '#/features/instances/fit/VerdictNote.tsx'
import { Button } from '#/ui/Button.tsx'
import { addedBy } from './quota.ts'
import { hardwareOf, type InstanceValues } from './values.ts'

/** Whether the instance fits right now, before anything is sent. Omitted if the server cannot tell. */
export function CapacityAside({ project }: { project: string }) {
  const id = useId()
  const values = useWatch<InstanceValues>() as InstanceValues
  const { setValue } = useFormContext<InstanceValues>()
  const { ncpus, memoryGib } = hardwareOf(values)
  const verdict = useVerdict(
    project,
    { ncpus, memory: memoryGib * GiB, antiAffinityGroups: values.antiAffinityGroups },
    { storage: addedBy(values).storage, start: values.start },
  )
  if (!verdict) return null
  return (
    <aside aria-labelledby={id} className="rounded-block border border-line bg-sunken px-4 py-3">
      <h2 id={id} className="text-base">
        Capacity
      </h2>
      <VerdictNote
        verdict={verdict}
        action={
          verdict.kind === 'unstartable' &&
          values.start && (
            <Button onClick={() => setValue('start', false, { shouldDirty: true })}>
              Create without starting
            </Button>
          )
        }
      />
    </aside>
  )
}
