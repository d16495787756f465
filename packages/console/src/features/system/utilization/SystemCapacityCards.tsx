import { CapacityCard } from '#/ui/CapacityCard.tsx'
import type { SystemCapacity } from '../queries.ts'
import { capacityKinds } from '#/features/utilization/capacities.ts'
import { capacityIcons } from '#/features/utilization/capacity-icons.ts'

/** The rack's used, reserved and free capacity. */
export function SystemCapacityCards({ capacity }: { capacity: SystemCapacity }) {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {capacityKinds.map(({ id, label, unit, units, inUnit }) => {
        const used = capacity.provisioned[id]
        const reserved = capacity.allocated[id]
        const whole = capacity.estimate[id]
        return (
          <CapacityCard
            key={id}
            icon={capacityIcons[id]}
            label={label}
            units={units}
            part={used}
            whole={whole}
            partWord="of the estimate provisioned"
            figures={[
              { label: 'Provisioned', value: inUnit(used), unit },
              { label: 'Quota (Total)', value: inUnit(reserved), unit },
              // Quotas can promise more than the rack has.
              { label: 'Free', value: inUnit(Math.max(0, whole - reserved)), unit },
            ]}
          />
        )
      })}
    </div>
  )
}
