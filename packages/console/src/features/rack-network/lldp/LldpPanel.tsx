import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { Button } from '#/ui/Button.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { PlacedPort } from '../queries.ts'
import { LldpForm } from './LldpForm.tsx'
import { lldpConfig, lldpNeighbors, lldpTexts, type Neighbor } from './queries.ts'

const columns = [
  { header: 'Neighbor', cell: ({ systemName, chassisId }: Neighbor) => systemName ?? chassisId },
  { header: 'Port', cell: ({ linkName }: Neighbor) => linkName },
  { header: 'Last seen', cell: ({ lastSeen }: Neighbor) => <DateTime value={lastSeen} /> },
]

/** The LLDP announcements of a port and its neighbour. */
export function LldpPanel({ port, onClose }: { port: PlacedPort; onClose: () => void }) {
  const neighbors = deferredOf(useQuery(lldpNeighbors(port)))
  return (
    <ViewPanel title="LLDP" context={`Port ${port.place}`} closeTo={onClose}>
      <section aria-label="Neighbors" className="space-y-2">
        <h3 className="text-md">Neighbors</h3>
        <DeferredValue
          of={neighbors}
          render={(items) => (
            <MiniTable
              label="Neighbors"
              columns={columns}
              items={items}
              itemKey={({ chassisId, linkName }) => `${chassisId} ${linkName}`}
              empty="No neighbor seen on this port."
            />
          )}
        />
      </section>
      <Configuration port={port} />
    </ViewPanel>
  )
}

function Configuration({ port }: { port: PlacedPort }) {
  const { data: config, error } = useQuery(lldpConfig(port))
  const [isEditing, setEditing] = useState(false)
  const whyNot = useWhyNotOnFleet()
  return (
    <section aria-label="Configuration" className="space-y-2">
      <h3 className="text-md">Configuration</h3>
      {error && <p className="text-muted">{failureText(error)}</p>}
      {config && (
        <>
          <DataPlate narrow>
            <DataItem label="LLDP">{config.enabled ? 'Enabled' : 'Disabled'}</DataItem>
            {lldpTexts.map(([key, label]) => (
              <DataItem key={key} label={label}>
                {config[key] ?? <EmptyCell />}
              </DataItem>
            ))}
          </DataPlate>
          <Button disabledReason={whyNot} onClick={() => setEditing(true)}>
            Edit configuration
          </Button>
          {isEditing && <LldpForm port={port} config={config} onClose={() => setEditing(false)} />}
        </>
      )}
    </section>
  )
}
