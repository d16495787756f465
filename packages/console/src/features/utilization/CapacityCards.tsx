// @chunk gauges: of pages that show capacities, which most lists do not.
import type { LucideIcon } from 'lucide-react'
import Cpu from 'lucide-react/icons/cpu'
import HardDrive from 'lucide-react/icons/hard-drive'
import MemoryStick from 'lucide-react/icons/memory-stick'
import { CapacityCard } from '#/ui/data/CapacityCard.tsx'
import type { Capacity } from './capacities.ts'

export const capacityIcons: Record<Capacity['id'], LucideIcon> = {
  cpus: Cpu,
  memory: MemoryStick,
  storage: HardDrive,
}

interface Props {
  capacities: readonly Capacity[]
  /** Label of the total. */
  quotaLabel?: string
}

/** The use of each resource. */
export function CapacityCards({ capacities, quotaLabel = 'Quota' }: Props) {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {capacities.map(({ id, label, unit, units, provisioned, quota, inUnit }) => (
        <CapacityCard
          key={id}
          icon={capacityIcons[id]}
          label={label}
          units={units}
          part={provisioned}
          whole={quota}
          figures={[
            { label: 'Provisioned', value: inUnit(provisioned), unit },
            { label: quotaLabel, value: inUnit(quota), unit },
          ]}
        />
      ))}
    </div>
  )
}
