import { GiB } from '@gantry/api/base/bytes.rules'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormContext, useFormState, useWatch } from 'react-hook-form'
import { useCurrentUser } from '#/data/current-user.ts'
import { useVerdict, VerdictNote } from '../fit/VerdictNote.tsx'
import { classes } from '#/ui/classes.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { Gauge } from '#/ui/data/Gauge.tsx'
import { capacitiesOf, utilizationView } from '#/features/utilization/capacities.ts'
import { Button } from '#/ui/Button.tsx'
import { addedBy } from './quota.ts'
import { copiedDisks, countOf, hardwareOf, type InstanceValues } from './values.ts'

/** The silo's remaining quota, and what this instance would use of it. Omitted if the server does not say. */
export function QuotaAside() {
  const id = useId()
  const { siloName } = useCurrentUser()
  const utilization = useBeforeSubmit(useQuery(utilizationView).data)
  const values = useWatch<InstanceValues>() as InstanceValues
  if (!utilization) return null
  const { provisioned, capacity } = utilization
  const added = addedBy(values)
  const count = countOf(values)
  return (
    <aside aria-labelledby={id} className="rounded-block border border-line bg-sunken">
      <h2 id={id} className="px-4 pt-3 text-base">
        Quota headroom
      </h2>
      <p className="px-4 pb-2 text-sm text-muted">
        Silo {siloName}, with {count > 1 ? `these ${count} instances` : 'this instance'}.
        {!values.start && ` CPU and memory are used once ${count > 1 ? 'they start' : 'it starts'}.`}
        {copiedDisks(values).length > 0 && ' Storage includes snapshots, which are deleted afterwards.'}
      </p>
      {capacitiesOf(provisioned, capacity).map(({ id: kind, label, unit, inUnit, ...amounts }) => (
        <Quota
          key={kind}
          label={label}
          unit={unit}
          inUnit={inUnit}
          used={amounts.provisioned}
          added={added[kind]}
          of={amounts.quota}
        />
      ))}
    </aside>
  )
}

/** The data from when the form was sent, because later data may already include the new instance. */
function useBeforeSubmit<Value>(value: Value): Value {
  const { isSubmitting } = useFormState()
  const [held, setHeld] = useState(value)
  if (!isSubmitting && held !== value) setHeld(value)
  return held
}

interface Props {
  label: string
  unit: string
  /** For the eye: what is over or left is computed before. */
  inUnit: (amount: number) => number
  used: number
  added: number
  of: number
}

function Quota({ label, unit, inUnit, used, added, of }: Props) {
  const left = of - used - added
  const share = (amount: number) => (of === 0 ? 0 : (amount / of) * 100)
  const shown = (amount: number): string => {
    const rounded = inUnit(amount)
    return rounded === 0 && amount > 0 ? '< 0.01' : formatNumber(rounded)
  }
  const rest = left < 0 ? `${shown(-left)} ${unit} over` : `${shown(left)} ${unit} left`
  return (
    <div className="border-t border-line px-4 pt-2.5 pb-3">
      <div className="mb-1.5 flex items-baseline text-sm">
        <span className="grow font-medium text-strong">{label}</span>
        <span className={classes('tabular-nums', left < 0 ? 'text-fail-text' : 'text-muted')}>
          {shown(used)} + <strong>{shown(added)}</strong> of {shown(of)} {unit}
        </span>
      </div>
      <Gauge
        label={label}
        used={share(used)}
        added={share(added)}
        text={`${shown(used)} + ${shown(added)} of ${shown(of)} ${unit}, ${rest}`}
        ruler
        scale={['0', left < 0 ? <strong className="text-fail-text">{rest}</strong> : rest, shown(of)]}
      />
    </div>
  )
}

/** Whether the instance fits right now, before anything is sent. Omitted if the server cannot tell. */
export function CapacityAside({ project }: { project: string }) {
  const id = useId()
  const values = useWatch<InstanceValues>() as InstanceValues
  const { setValue } = useFormContext<InstanceValues>()
  const { ncpus, memoryGib } = hardwareOf(values)
  const verdict = useVerdict(
    project,
    {
      ncpus,
      memory: memoryGib * GiB,
      antiAffinityGroups: values.antiAffinityGroups,
      ...(values.cpuPlatform && { cpuPlatform: values.cpuPlatform }),
    },
    { storage: addedBy(values).storage, start: values.start },
  )
  if (!verdict) return null
  return (
    <aside aria-labelledby={id} className="rounded-block border border-line bg-sunken px-4 py-3">
      <h2 id={id} className="text-base">
        Capacity
      </h2>
      {countOf(values) > 1 && (
        <p className="text-sm text-muted">For one of the {countOf(values)} instances.</p>
      )}
      <VerdictNote
        verdict={verdict}
        action={
          verdict.fitsStopped &&
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
