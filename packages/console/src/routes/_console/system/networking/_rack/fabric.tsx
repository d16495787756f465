import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { portColumns } from '#/features/rack-network/columns.tsx'
import { FabricDrawing } from '#/features/rack-network/FabricDrawing.tsx'
import { fabricView, type PlacedPort, portsOf } from '#/features/rack-network/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Table } from '#/ui/data/Table.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/fabric')({
  loader: ({ context }) => context.prefetch(fabricView),
  staticData: { crumb: { label: 'Fabric', to: '/system/networking/fabric' } },
  component: FabricPage,
})

const ApplySettings = lazyPart(() => import('#/features/rack-network/ApplySettings.tsx'), 'ApplySettings')

const TryChange = lazyPart(() => import('#/features/rack-network/TryChange.tsx'), 'TryChange')

const JumboFramesCard = lazyPart(
  () => import('#/features/rack-network/JumboFramesCard.tsx'),
  'JumboFramesCard',
)
const LinkStatePanel = lazyPart(() => import('#/features/rack-network/LinkStatePanel.tsx'), 'LinkStatePanel')
const LldpPanel = lazyPart(() => import('#/features/rack-network/lldp/LldpPanel.tsx'), 'LldpPanel')

/** The action in progress on a port. */
type Step =
  | { name: 'choose'; port: PlacedPort | undefined }
  | { name: 'lldp' | 'link-state' | 'clear'; port: PlacedPort }

/** Racks, switches and ports as a picture, and the configured ports with their links and peers as a table. */
function FabricPage() {
  const { data: fabric } = useSuspenseQuery(fabricView)
  const [step, setStep] = useState<Step>()
  const whyNotAllowed = useWhyNotOnFleet()
  const whyNot = useWhyLacking('switches') ?? whyNotAllowed
  const ports = portsOf(fabric)
  const close = (): void => setStep(undefined)
  return (
    <>
      <TabHead
        actions={
          <Button
            kind="primary"
            disabledReason={whyNot}
            onClick={() => setStep({ name: 'choose', port: undefined })}
          >
            Apply settings
          </Button>
        }
      >
        The switches of the rack and their external ports.
      </TabHead>
      <FabricDrawing fabric={fabric} />
      <Table
        label="Configured ports"
        columns={portColumns}
        rows={ports.filter(({ portSettings }) => portSettings)}
        rowKey={({ id }) => id}
        tall
        actions={(port) =>
          rowMenu(port.id, 'Copy port ID', [
            {
              label: 'Change settings',
              disabled: whyNot,
              onSelect: () => setStep({ name: 'choose', port }),
            },
            {
              label: 'View link state',
              onSelect: () => setStep({ name: 'link-state', port }),
            },
            {
              label: 'View LLDP',
              onSelect: () => setStep({ name: 'lldp', port }),
            },
            {
              label: 'Clear settings',
              disabled: whyNot,
              onSelect: () => setStep({ name: 'clear', port }),
            },
          ])
        }
        empty={
          <EmptyState title="No configured ports">
            Apply settings to a port to connect the rack to a network
          </EmptyState>
        }
      />
      <div className="mt-4">
        <JumboFramesCard />
      </div>
      {step?.name === 'choose' && <ApplySettings ports={ports} port={step.port} onClose={close} />}
      {step?.name === 'link-state' && <LinkStatePanel port={step.port} onClose={close} />}
      {step?.name === 'lldp' && <LldpPanel port={step.port} onClose={close} />}
      {step?.name === 'clear' && (
        <TryChange
          title={`Clear settings of ${step.port.place}`}
          change={{ type: 'switch_port', switchPortId: step.port.id, portSettings: null }}
          onClose={close}
        />
      )}
    </>
  )
}
