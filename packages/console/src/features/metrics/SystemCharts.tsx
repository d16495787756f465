// @chunk apart: charts are large.
import { useSearch } from '@tanstack/react-router'
import type { SiloUse } from '#/features/system/queries.ts'
import { totalOf } from '#/features/system/utilization/silo-use.ts'
import { ScopePicker } from './ScopePicker.tsx'
import { UtilizationCharts } from './UtilizationCharts.tsx'

/** Provisioned resources of the fleet or one silo. */
export function SystemCharts({ silos }: { silos: readonly SiloUse[] }) {
  const { silo }: { silo?: string } = useSearch({ strict: false })
  const choices = silos.map(({ siloId, siloName }) => ({ id: siloId, name: siloName }))
  const chosen = silos.find(({ siloId }) => siloId === silo)
  return (
    <UtilizationCharts
      scope={{ of: 'fleet', silo: chosen?.siloId }}
      capacities={totalOf(chosen ? [chosen] : silos)}
      picker={<ScopePicker name="silo" value={silo} all="All silos" choices={choices} />}
    />
  )
}
