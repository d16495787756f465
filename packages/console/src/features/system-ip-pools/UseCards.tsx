import Globe from 'lucide-react/icons/globe'
import { CapacityCard } from '#/ui/CapacityCard.tsx'
import type { PoolUtilization } from './queries.ts'

/** Allocated addresses of each version with ranges in the pool; nothing for a pool without ranges. */
export function UseCards({ ipv4, ipv6 }: PoolUtilization) {
  const cards = [
    { label: 'IPv4', allocated: ipv4.allocated, capacity: ipv4.capacity },
    { label: 'IPv6', allocated: BigInt(ipv6.allocated), capacity: BigInt(ipv6.capacity) },
  ].filter(({ capacity }) => capacity > 0)
  if (cards.length === 0) return null
  return (
    <div className="mt-4 grid grid-cols-1 gap-4 md:grid-cols-2">
      {cards.map(({ label, allocated, capacity }) => (
        <CapacityCard
          key={label}
          icon={Globe}
          label={label}
          units="IPs"
          part={allocated}
          partWord="allocated"
          whole={capacity}
          figures={[
            { label: 'Allocated', value: allocated },
            { label: 'Capacity', value: capacity },
          ]}
        />
      ))}
    </div>
  )
}
